// The parts of the pages about the user's own second factor: the card on the account page, the secret to scan or to
// type, the recovery codes that are shown once, and the confirmation page that requires a code.

import type { ShownOffer } from '../../../domain/users/enrol.ts';
import { type CodeProblem, isSecondFactorRequired } from '../../../domain/users/second-factor.ts';
import { toOtpauth } from '../../../domain/users/totp.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import { sayTime } from '../../i18n/durations.ts';
import type { Question } from '../../ui/confirm.ts';
import { textField } from '../../ui/fields.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { formToken, oneTimeToken, renderPage } from '../../ui/layout.ts';
import { shownOnce } from '../../ui/shown-once.ts';
import { sayProblem } from '../login/login-form.ts';
import { qrOf } from '../vouchers/voucher-details.ts';

const FEW = 3;

export interface KnownFactor {
  createdAtMs: number;
  codesLeft: number;
}

export function secondFactorCard(context: AuthenticatedContext, factor: KnownFactor | undefined): Html {
  const { messages, language, timeZone } = context;
  const { secondFactor: text } = messages;
  if (!factor)
    return html`<section class="card"><h2>${text.title}</h2><p>${text.off}</p>
<p><a class="button" href="/account/second-factor/new">${icon('key')}<span>${text.begin}</span></a></p></section>`;
  const { createdAtMs, codesLeft } = factor;
  const isRequired = isSecondFactorRequired(context.settings, context.user);
  return html`<section class="card"><h2>${text.title}</h2><p><span class="pill valid">${icon('valid')}${text.on}</span></p>
<p>${text.since(sayTime(createdAtMs, { language, timeZone }))} ${text.codesLeft(codesLeft)}
${codesLeft <= FEW && html`<span class="sub">${text.few}</span>`}${isRequired && html`<span class="sub">${text.isRequired}</span>`}</p>
<div class="actions"><a class="button" href="/account/second-factor/codes">${text.codes.button}</a>
${!isRequired && html`<a class="button risky" href="/account/second-factor/off">${text.switchOff.button}</a>`}</div></section>`;
}

/** The secret as a QR code, as a link that opens an app on the phone itself, and in groups of four for typing. */
export function offerParts({ messages, settings, user }: AuthenticatedContext, { secret }: ShownOffer): Html {
  const { setUp: text } = messages.secondFactor;
  const { admin, result } = messages;
  const address = toOtpauth(secret, { title: settings.title, account: user.email });
  return html`<h2>1. ${text.scan}</h2><p class="soft">${text.scanHint}</p>
${qrOf(address, text.qr)}
<p><a class="button" href="${address}">${text.open}</a></p>
<p class="typed">${text.type}</p>
<p><code class="secret-text">${secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
<p><button class="button" type="button" hidden data-copy="${secret}" data-copied="${result.copied}">${icon('copy')}<span>${admin.copy}</span></button></p>`;
}

export function showCodes(
  context: AuthenticatedContext,
  { title, codes, back }: { title: string; codes: string[]; back: string },
): Response {
  return renderPage(context, {
    title,
    content: html`<section class="card codes-once"><h1>${title}</h1><p>${context.messages.secondFactor.codes.what}</p>
${shownOnce(context, codes.join('\n'), back)}</section>`,
  });
}

/** A confirmation page like `confirm` that also requires a code. */
export function askForCode(
  context: AuthenticatedContext,
  question: Question,
  problem?: CodeProblem,
): Response {
  const { ask, what, action, button, back } = question;
  const { messages } = context;
  return renderPage(context, {
    title: ask,
    status: problem ? (problem.kind === 'wait' ? 429 : 422) : 200,
    headers: problem?.kind === 'wait' ? { 'retry-after': String(problem.seconds) } : {},
    content: html`<section class="card"><h1>${ask}</h1><p class="note warn">${icon('warning')}<span>${what}</span></p>
<form method="post" action="${action}">${formToken(context)}${oneTimeToken()}
${textField({
  name: 'code',
  label: messages.secondFactor.signIn.code,
  hint: messages.secondFactor.signIn.codeHint,
  error: problem && sayProblem(problem, context),
  required: true,
  autocomplete: 'one-time-code',
})}
<div class="actions"><button class="button danger" type="submit">${button}</button><a class="button" href="${back}">${messages.admin.cancel}</a></div></form></section>`,
  });
}
