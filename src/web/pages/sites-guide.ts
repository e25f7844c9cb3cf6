// The guided way to a controller: address, certificate to be confirmed, credentials, a real test. It sets up
// a new site or points an old one elsewhere. What was entered travels in the forms; credentials come last.

import type { ControllerFailure, ControllerKind } from '../../domain/controller.ts';
import type { Result } from '../../domain/result.ts';
import type { ControllerAccess, Credentials, TlsTrust } from '../../domain/sites/controller-access.ts';
import type { SaveProblem } from '../../domain/sites/save-site.ts';
import type { Site } from '../../domain/sites/site.ts';
import type { Answer } from '../../http/exchange.ts';
import { textField } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage, formToken, redirect } from '../layout.ts';
import type { UserVisit } from '../visit.ts';
import {
  credentialFields,
  type Faults,
  hasFaults,
  hiddenFields,
  readCredentials,
  readTrust,
  sayFingerprint,
} from './sites-forms.ts';
import { saveNote, troubleNote } from './sites-trouble.ts';

export type MeetController = (
  url: string,
) => Promise<Result<{ fingerprint256: string; vouchedFor: boolean }, ControllerFailure>>;

/** What the first step has found out, and what is to be done in the end. */
export interface Errand {
  title: string;
  /** Of the first step; the others lie below it. */
  path: string;
  cancel: string;
  kind: ControllerKind;
  url: string;
  /** Entered in the first step. */
  carried: Record<string, string>;
  /** Credentials that go on to be used when none are entered. */
  kept: Credentials | undefined;
  /** A site that stands for the same place; better told before anybody looks for credentials. */
  findTwin(): Promise<Site | undefined>;
  /** The first step once more, with what was entered. */
  again(faults: Faults, note?: Html): Answer;
  save(access: ControllerAccess, anyway: boolean): Promise<Result<string, SaveProblem>>;
}

export function makeGuide(meetController: MeetController) {
  return { meet, confirm, finish };

  /** After the first step: who answers there? Nothing is sent to it. */
  async function meet(visit: UserVisit, errand: Errand): Promise<Answer> {
    const { sites: text } = visit.words.admin;
    const twin = await errand.findTwin();
    if (twin) return errand.again({}, saveNote(visit, { kind: 'twin', twin }));
    const met = await meetController(errand.url);
    if (!met.ok) return errand.again({}, troubleNote(visit, text.unreachable, met.problem));
    const { vouchedFor, fingerprint256 } = met.value;
    return vouchedFor
      ? credentialsPage(visit, errand, { kind: 'ca' })
      : certificatePage(visit, errand, fingerprint256);
  }

  /** After the second: the fingerprint was found right. */
  function confirm(visit: UserVisit, errand: Errand): Answer {
    const trust = readTrust(visit);
    return trust && !visit.form.has('back') ? credentialsPage(visit, errand, trust) : errand.again({});
  }

  /** After the last: tests, and saves what works. */
  async function finish(visit: UserVisit, errand: Errand): Promise<Answer> {
    const trust = readTrust(visit);
    if (!trust || visit.form.has('back')) return errand.again({});
    const { credentials, faults } = readCredentials(visit, errand.kind, errand.kept);
    if (!credentials) return credentialsPage(visit, errand, trust, { faults });
    const anyway = visit.form.has('anyway');
    const saved = await errand.save({ url: errand.url, credentials, trust }, anyway);
    return saved.ok
      ? redirect(saved.value)
      : credentialsPage(visit, errand, trust, { problem: saved.problem });
  }
}

function certificatePage(visit: UserVisit, errand: Errand, fingerprint256: string): Answer {
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

function credentialsPage(
  visit: UserVisit,
  errand: Errand,
  trust: TlsTrust,
  { faults = {}, problem }: { faults?: Faults; problem?: SaveProblem } = {},
): Answer {
  const { sites: text } = visit.words.admin;
  const said = trust.kind === 'ca' ? text.vouched(errand.url) : text.confirmed(errand.url);
  const trustText = trust.kind === 'pinned' ? trust.fingerprint256 : trust.kind;
  return answerPage(visit, {
    title: text.credentialsTitle,
    status: problem || hasFaults(faults) ? 422 : 200,
    content: html`<h1>${errand.title}</h1>${stepList(visit, 2)}
${problem ? saveNote(visit, problem) : html`<p class="note">${icon('valid')}<span>${said}</span></p>`}
<section class="card"><h2>${text.credentialsTitle}</h2>
<form method="post" action="${errand.path}/store" data-working="${text.testing}">${formToken(visit)}${hiddenFields({ ...errand.carried, trust: trustText })}
${(problem || errand.kept) && html`<p class="soft">${problem && text.again} ${errand.kept && text.keep}</p>`}
${credentialFields(visit, { kind: errand.kind, faults, required: !errand.kept })}
<div class="actions"><button class="button primary" type="submit">${text.store}</button>
${problem?.kind === 'test-failed' && html`<button class="button" name="anyway" value="yes">${text.storeAnyway}</button>`}${wayBack(visit, errand)}</div></form></section>`,
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
