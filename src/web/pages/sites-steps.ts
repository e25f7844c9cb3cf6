// The pages of the guided way to a controller, from the second step on.

import type { ControllerFailure, ControllerSite } from '../../domain/controller.ts';
import type { TlsTrust } from '../../domain/sites/controller-access.ts';
import { TEST_ORDER } from '../../domain/sites/test-site.ts';
import type { Answer } from '../../http/exchange.ts';
import { selectField, textField } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage, formToken } from '../layout.ts';
import type { UserVisit } from '../visit.ts';
import type { Errand } from './sites-errand.ts';
import {
  controllerSiteField,
  credentialFields,
  type Faults,
  hasFaults,
  hiddenFields,
  sayFingerprint,
} from './sites-forms.ts';
import { goodNote, troubleNote } from './sites-trouble.ts';

export function certificatePage(visit: UserVisit, errand: Errand, fingerprint256: string): Answer {
  const { sites: text } = visit.words.admin;
  const { hostname, port } = new URL(errand.url);
  const command = `openssl s_client -connect ${hostname}:${port || 443} </dev/null | openssl x509 -noout -fingerprint -sha256`;
  return answerPage(visit, {
    title: text.certificateTitle,
    content: html`<h1>${errand.title}</h1>${stepList(visit, 1)}
<section class="card"><h2>${text.certificateTitle}</h2><p>${text.certificateWhat(errand.url)}</p>
<p><code class="secret-text">${sayFingerprint(fingerprint256)}</code></p>
<details><summary>${text.certificateHow}</summary><p>${text.certificateCommand}</p><pre><code>${command}</code></pre></details>
<form method="post" action="${errand.path}/certificate">${formToken(visit)}${hiddenFields({ ...errand.carried, trust: fingerprint256 })}
<div class="actions"><button class="button primary" type="submit">${text.certificateYes}</button>${wayBack(visit, errand)}</div></form></section>`,
  });
}

interface SigningIn {
  trust: TlsTrust;
  faults?: Faults;
  /** Why the controller did not let us in, with the access it was tried with. */
  failure?: ControllerFailure;
  sealed?: string;
}

export function credentialsPage(
  visit: UserVisit,
  errand: Errand,
  { trust, faults = {}, failure, sealed }: SigningIn,
): Answer {
  const { sites: text } = visit.words.admin;
  const said = trust.kind === 'ca' ? text.vouched(errand.url) : text.confirmed(errand.url);
  const trustText = trust.kind === 'pinned' ? trust.fingerprint256 : trust.kind;
  return answerPage(visit, {
    title: text.credentialsTitle,
    status: failure || hasFaults(faults) ? 422 : 200,
    content: html`<h1>${errand.title}</h1>${stepList(visit, 2)}
${failure ? troubleNote(visit, text.signInFailed, failure) : html`<p class="note">${icon('valid')}<span>${said}</span></p>`}
<section class="card"><h2>${text.credentialsTitle}</h2>
<form method="post" action="${errand.path}/site" data-working="${text.signingIn}">${formToken(visit)}${hiddenFields({ ...errand.carried, trust: trustText })}
${(failure || errand.kept) && html`<p class="soft">${failure && text.again} ${errand.kept && text.keep}</p>`}
${credentialFields(visit, { kind: errand.kind, faults, required: !errand.kept })}
<div class="actions"><button class="button primary" type="submit">${text.signIn}</button>${wayBack(visit, errand)}</div></form></section>
${sealed !== undefined && anywayCard(visit, errand, sealed)}`,
  });
}

/** For a controller that cannot be asked now; only here is the name of its site typed. */
function anywayCard(visit: UserVisit, errand: Errand, sealed: string): Html {
  const { sites: text } = visit.words.admin;
  const value = errand.current?.controllerSite ?? 'default';
  return html`<section class="card"><h2>${text.anywayTitle}</h2><p>${text.anywayWhat}</p>
<form method="post" action="${errand.path}/store">${formToken(visit)}${hiddenFields({ ...errand.carried, sealed })}
${controllerSiteField(visit, { value, hint: text.controllerSiteHint })}
<div class="actions"><button class="button" name="anyway" value="yes">${text.storeAnyway}</button></div></form></section>`;
}

interface Choosing {
  sealed: string;
  /** With the site that stands for it already. None when the controller could not be asked again. */
  choices: (ControllerSite & { twin: string | undefined })[];
  chosen: string | undefined;
  fault?: string | undefined;
  note?: Html | undefined;
  mayStoreAnyway?: boolean;
}

export function sitePage(
  visit: UserVisit,
  errand: Errand,
  { sealed, choices, chosen, fault, note, mayStoreAnyway }: Choosing,
): Answer {
  const { sites: text } = visit.words.admin;
  const free = choices.filter(({ twin }) => twin === undefined);
  const usual = free.find(({ id }) => id === 'default') ?? free[0];
  const value = chosen ?? usual?.id ?? '';
  const label = ({ id, name, twin }: Choosing['choices'][number]) =>
    `${name === '' || name === id ? id : `${name} (${id})`}${twin === undefined ? '' : ` – ${text.siteTaken(twin)}`}`;
  const field =
    choices.length === 0
      ? controllerSiteField(visit, { value, hint: text.controllerSiteHint, error: fault })
      : selectField({
          name: 'site',
          label: text.controllerSite,
          hint: text.siteChoiceHint,
          value,
          choices: choices.map((choice) => ({ value: choice.id, label: label(choice) })),
          error: fault,
        });
  return answerPage(visit, {
    title: text.siteTitle,
    status: note || fault ? 422 : 200,
    content: html`<h1>${errand.title}</h1>${stepList(visit, 3)}${note ?? (!fault && goodNote(text.signedIn(choices.length)))}
<section class="card"><h2>${text.siteTitle}</h2>
<form method="post" action="${errand.path}/store" data-working="${text.testing}">${formToken(visit)}${hiddenFields({ ...errand.carried, sealed })}
${field}<p class="soft">${text.siteTest(TEST_ORDER.name)}</p>
<div class="actions"><button class="button primary" type="submit">${text.store}</button>
${mayStoreAnyway && html`<button class="button" name="anyway" value="yes">${text.storeAnyway}</button>`}${wayBack(visit, errand)}</div></form></section>`,
  });
}

/** To the first step, with all that was entered there. */
function wayBack({ words: { admin } }: UserVisit, { cancel }: Errand): Html {
  return html`<button class="button" name="back" value="yes" formnovalidate>${admin.sites.back}</button><a class="button" href="${cancel}">${admin.cancel}</a>`;
}

export function stepList({ words: { admin } }: UserVisit, now: number): Html {
  const { steps, stepsLabel } = admin.sites;
  return html`<ol class="steps" aria-label="${stepsLabel}">${steps.map(
    (step, index) => html`<li${index === now && html` aria-current="step"`}>${index + 1}. ${step}</li>`,
  )}</ol>`;
}

export function addressField(
  visit: UserVisit,
  { value, hint, error }: Record<'value' | 'hint', string> & { error: string | undefined },
): Html {
  const { sites: text } = visit.words.admin;
  return textField({ name: 'url', label: text.address, hint, value, error });
}
