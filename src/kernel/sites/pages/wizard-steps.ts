// The pages of the site wizard from the second step on, and the parts shared with the first step.

import { sitesStylesheet } from '../../../platform/pages/assets.ts';
import { textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import type { Result } from '../../../platform/values/result.ts';
import type { ControllerFailure, ControllerSite } from '../../controllers/controller.ts';
import type { ControllerKind } from '../../controllers/controller-kind.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { formToken, renderPage } from '../../pages/layout.ts';
import { message as messageOf } from '../../pages/message.ts';
import type { NoticeKind } from '../../pages/notice.ts';
import type { CertificateHistory } from '../certificate-history.ts';
import type { ControllerConnection, Credentials, TlsTrust } from '../controller-connection.ts';
import type { Site } from '../site.ts';
import { errorMessage } from './controller-errors.ts';
import { fingerprintHelp } from './fingerprint-help.ts';
import {
  credentialFields,
  hasIssues,
  hiddenFields,
  type SiteFormIssues,
  sayFingerprint,
} from './site-forms.ts';

/** The connection that the wizard saves for the chosen sites. */
interface WizardResult {
  connection: ControllerConnection;
  /** True if it is saved without a test. The sites are then inactive. */
  untested: boolean;
}

/** A site of the controller. `twin` is our site that already uses it, if there is one. */
export type SiteChoice = ControllerSite & { twin: Site | undefined };

/** Why the choice was not saved. */
export interface Rejected {
  issues?: SiteFormIssues;
  message?: Html;
  mayStoreAnyway?: boolean;
}

export interface Choosing extends Rejected {
  /** The hidden fields that keep the connection until the next step. */
  held: Record<string, string>;
  /** Empty if the sites could not be listed. */
  choices: SiteChoice[];
}

/** What the wizard is used for (adding sites or changing the access of a site), and the values of its first step. */
export interface WizardPurpose {
  title: string;
  /** The path of the first step; the paths of the other steps are below it. */
  path: string;
  cancel: string;
  kind: ControllerKind;
  url: string;
  /** Values entered in the first step, carried as hidden form fields. */
  carried: Record<string, string>;
  /** Stored credentials that are reused if the user enters none. */
  kept: Credentials | undefined;
  /** The existing site whose access is changed; undefined for a new site. */
  current: Pick<Site, 'id' | 'controllerSite' | 'connection'> | undefined;
  /** When the certificate of the existing site was confirmed, and when a different certificate was noticed. */
  history?: () => Promise<CertificateHistory>;
  /** Shows the first step again with the entered values. */
  again(issues: SiteFormIssues, message?: Html): Response | Promise<Response>;
  /** The fields for a controller site that is typed, because the sites could not be listed. */
  typedFields(issues: SiteFormIssues): Html;
  /** Shows the last step. */
  choicePage(choosing: Choosing): Response;
  /** Saves what was chosen in the last step. Returns the page that opens next and the notice that it shows. */
  save(result: WizardResult): Promise<Result<{ path: string; notice: NoticeKind }, Rejected>>;
}

export type Step = (context: AuthenticatedContext, purpose: WizardPurpose) => Response | Promise<Response>;

export async function certificatePage(
  context: AuthenticatedContext,
  purpose: Pick<WizardPurpose, 'title' | 'path' | 'cancel' | 'url' | 'carried' | 'current' | 'history'>,
  fingerprint256: string,
): Promise<Response> {
  const { sites: text } = context.messages.admin;
  const before = purpose.current?.connection;
  const isKnown = before?.url === purpose.url;
  const pinned = isKnown && before.trust.kind === 'pinned' ? before.trust.fingerprint256 : undefined;
  const isChanged = pinned !== undefined && pinned !== fingerprint256;
  const title = isChanged ? text.certificateChanged : text.certificateTitle;
  return renderPage(context, {
    title,
    stylesheets: [sitesStylesheet],
    content: html`<h1>${purpose.title}</h1>${stepList(context, 1)}
<section class="card"><h2>${title}</h2><p>${isChanged ? text.certificateChangedWhat(purpose.url) : text.certificateWhat(purpose.url)}</p>
${
  isChanged
    ? comparison(context, { before: pinned, now: fingerprint256, ...(await purpose.history?.()) })
    : html`<p><code class="secret-text">${sayFingerprint(fingerprint256)}</code></p>`
}
${pinned === fingerprint256 && html`<p>${text.certificateSame}</p>`}
${fingerprintHelp(context, purpose.url)}
<form method="post" action="${purpose.path}/certificate">${formToken(context)}${hiddenFields({ ...purpose.carried, trust: fingerprint256 })}
<div class="actions"><button class="button primary" type="submit">${isChanged ? text.certificateNew : text.certificateYes}</button>${wayBack(context, purpose)}</div></form></section>`,
  });
}

/** The confirmed fingerprint and when it was confirmed, next to the new fingerprint and when it was noticed. */
function comparison(
  context: AuthenticatedContext,
  { before, now, confirmedAtMs, noticedAtMs }: CertificateHistory & { before: string; now: string },
): Html {
  const { sites: text } = context.messages.admin;
  const side = (label: string, fingerprint256: string, time: string | false) =>
    html`<div><dt>${label}${time && html`<span class="sub">${time}</span>`}</dt><dd><code class="secret-text">${sayFingerprint(fingerprint256)}</code></dd></div>`;
  return html`<dl class="fingerprints">
${side(text.certificateBefore, before, confirmedAtMs !== undefined && text.confirmedAt(sayTime(confirmedAtMs, context)))}
${side(text.certificateNow, now, noticedAtMs !== undefined && text.noticedAt(sayTime(noticedAtMs, context)))}</dl>`;
}

interface LoginStepInput {
  trust: TlsTrust;
  issues?: SiteFormIssues;
  /** Why the controller's sites could not be listed. `sealed` is the access that was tried, in encrypted form. */
  failure?: ControllerFailure;
  sealed?: string;
}

export function credentialsPage(
  context: AuthenticatedContext,
  purpose: WizardPurpose,
  { trust, issues = {}, failure, sealed }: LoginStepInput,
): Response {
  const { sites: text } = context.messages.admin;
  const said = trust.kind === 'ca' ? text.vouched(purpose.url) : text.confirmed(purpose.url);
  const trustText = trust.kind === 'pinned' ? trust.fingerprint256 : trust.kind;
  return renderPage(context, {
    title: text.credentialsTitle,
    stylesheets: [sitesStylesheet],
    status: failure || hasIssues(issues) ? 422 : 200,
    message: failure ? errorMessage(context, text.loginFailed, failure) : messageOf('success', said),
    issues,
    content: html`<h1>${purpose.title}</h1>${stepList(context, 2)}
<section class="card"><h2>${text.credentialsTitle}</h2>
<form method="post" action="${purpose.path}/site" data-working="${text.loggingIn}">${formToken(context)}${hiddenFields({ ...purpose.carried, trust: trustText })}
${(failure || purpose.kept) && html`<p class="soft">${failure && text.again} ${purpose.kept && text.keep}</p>`}
${credentialFields(context, { kind: purpose.kind, issues, required: !purpose.kept })}
<div class="actions"><button class="button primary" type="submit">${text.login}</button>${wayBack(context, purpose)}</div></form></section>
${sealed !== undefined && anywayCard(context, purpose, sealed)}`,
  });
}

/** Offers to save the access even if the controller's sites could not be listed. The user types the site's name. */
function anywayCard(context: AuthenticatedContext, purpose: WizardPurpose, sealed: string): Html {
  const { sites: text } = context.messages.admin;
  return html`<section class="card"><h2>${text.anywayTitle}</h2><p>${text.anywayWhat}</p>
<form method="post" action="${purpose.path}/store">${formToken(context)}${hiddenFields({ ...purpose.carried, sealed })}
${purpose.typedFields({})}
<div class="actions"><button class="button" name="anyway" value="yes">${text.storeAnyway}</button></div></form></section>`;
}

interface ChoiceForm {
  title: string;
  /** Shown above the form. */
  intro?: Html | false;
  fields: Html;
  /** False if there is nothing to choose. */
  canStore: boolean;
}

/** The last step. */
export function choiceForm(
  context: AuthenticatedContext,
  purpose: WizardPurpose,
  { held, choices, message, issues = {}, mayStoreAnyway }: Choosing,
  { title, intro, fields, canStore }: ChoiceForm,
): Response {
  const { sites: text } = context.messages.admin;
  const isRejected = message !== undefined || hasIssues(issues);
  return renderPage(context, {
    title,
    stylesheets: [sitesStylesheet],
    status: isRejected ? 422 : 200,
    message: isRejected ? message : messageOf('success', text.loggedIn(choices.length)),
    issues,
    content: html`<h1>${purpose.title}</h1>${stepList(context, 3)}
<section class="card"><h2>${title}</h2>${intro}
<form class="choosing" method="post" action="${purpose.path}/store" data-working="${text.testing}">${formToken(context)}${hiddenFields({ ...purpose.carried, ...held })}
${fields}
<div class="actions">${canStore && html`<button class="button primary" type="submit">${text.store}</button>`}
${mayStoreAnyway && html`<button class="button" name="anyway" value="yes">${text.storeAnyway}</button>`}${wayBack(context, purpose)}</div></form></section>`,
  });
}

/** Buttons that return to the first step with the entered values, or cancel the wizard. */
function wayBack(
  { messages: { admin } }: AuthenticatedContext,
  { cancel }: Pick<WizardPurpose, 'cancel'>,
): Html {
  return html`<button class="button" name="back" value="yes" formnovalidate>${admin.sites.back}</button><a class="button" href="${cancel}">${admin.cancel}</a>`;
}

export function stepList({ messages: { admin } }: AuthenticatedContext, now: number): Html {
  const { steps, stepsLabel } = admin.sites;
  return html`<ol class="steps" aria-label="${stepsLabel}">${steps.map(
    (step, index) => html`<li${index === now && html` aria-current="step"`}>${index + 1}. ${step}</li>`,
  )}</ol>`;
}

export function urlField(
  context: AuthenticatedContext,
  shown: { value: string; hint: string; error: string | undefined; autofocus?: boolean },
): Html {
  const { sites: text } = context.messages.admin;
  return textField({ name: 'url', label: text.url, ...shown });
}
