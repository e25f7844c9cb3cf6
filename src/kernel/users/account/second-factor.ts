// The user's own second factor: set it up, create new recovery codes, turn it off. Creating recovery codes and turning
// it off require a code, so that the password alone is not enough to remove the second factor.

import { accountStylesheet } from '../../../platform/pages/assets.ts';
import { textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import type { Question } from '../../pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { deviceCookieOf, readCookie, writeDeviceCookie } from '../../pages/cookies.ts';
import { formToken, oneTimeToken, redirect, renderPage } from '../../pages/layout.ts';
import { note } from '../../pages/message.ts';
import { problemPage } from '../../pages/problem-page.ts';
import type { Route } from '../../pages/route.ts';
import { shownOnce } from '../../pages/shown-once.ts';
import type { CodeProblem } from '../../sessions/check-code.ts';
import { languageForm, nextOf, sayProblem, withNext } from '../../sessions/pages/login-form.ts';
import { qrOf } from '../../vouchers/pages/voucher-details.ts';
import type { ShownOffer } from '../enrol.ts';
import { makeRecoveryCodes } from '../recovery-codes.ts';
import { isSecondFactorRequired } from '../second-factor.ts';
import { toOtpauth } from '../totp.ts';
import { renewCookie } from './renew-cookie.ts';

const SETUP = '/account/second-factor/new';
const CODES = '/account/second-factor/codes';
const OFF = '/account/second-factor/off';
const BACK = '/account';

type Run = (context: AuthenticatedContext) => Promise<Response>;

export const secondFactorRoutes: Route[] = [
  { method: 'GET', path: SETUP, permission: 'newcomer', run: begin },
  { method: 'POST', path: SETUP, permission: 'newcomer', recentPassword: true, run: confirm },
  { method: 'GET', path: CODES, permission: 'operator', run: owning(async (context) => askCodes(context)) },
  { method: 'POST', path: CODES, permission: 'operator', recentPassword: true, run: owning(renewCodes) },
  { method: 'GET', path: OFF, permission: 'operator', run: owning(free(async (context) => askOff(context))) },
  { method: 'POST', path: OFF, permission: 'operator', recentPassword: true, run: owning(free(switchOff)) },
];

/** Runs the handler only for users who have a second factor. */
function owning(run: Run): Run {
  return async (context) =>
    (await context.app.secondFactors.has(context.user.id)) ? run(context) : redirect(context, BACK);
}

async function begin(context: AuthenticatedContext) {
  const { secondFactors, enrol } = context.app;
  return (await secondFactors.has(context.user.id))
    ? redirect(context, BACK)
    : show(context, enrol.offer(context.user));
}

async function confirm(context: AuthenticatedContext) {
  const { enrol, webSessions, knownDevices } = context.app;
  const { form, user, messages } = context;
  const confirmed = await enrol.confirm(user, {
    sealed: form.get('offer') ?? '',
    code: form.get('code') ?? '',
    by: auditContextOf(context),
  });
  if (confirmed.ok) {
    // The user's other sessions began without the second factor, so they end now.
    await webSessions.endOthers(user.id, context.session.tokenHash);
    const device = await knownDevices.issue(user, confirmed.value);
    writeDeviceCookie(context, device, knownDevices.issuedAtMs);
    const title = messages.secondFactor.codes.turnedOn;
    const renewed = await renewCookie(context);
    return showCodes(renewed, { title, codes: confirmed.value.codes, back: wayOn(context) });
  }
  if (confirmed.problem.kind === 'already-on') return redirect(context, BACK);
  return show(context, confirmed.problem.offer, messages.secondFactor.setup.wrong);
}

/**
 * Shows a new secret. It is not stored until the user confirms it with a code. Until then a hidden field contains it,
 * encrypted together with the user's id. A submitted form can therefore contain neither a made-up secret nor the
 * secret of another account.
 */
function show(context: AuthenticatedContext, offer: ShownOffer, error?: string) {
  const { messages, settings, user, ...withoutUser } = context;
  const { setup: text } = messages.secondFactor;
  const isRequired = isSecondFactorRequired(settings, user);
  const content = html`<section class="card enrol"><h1>${text.title}</h1>
${isRequired ? note('info', text.required) : html`<p>${text.intro}</p>`}
${offerParts(context, offer)}
<h2>2. ${text.confirm}</h2><form method="post" action="${SETUP}">${formToken(context)}${oneTimeToken()}
<input type="hidden" name="offer" value="${offer.sealed}"><input type="hidden" name="next" value="${wayOn(context)}">
${textField({ name: 'code', label: text.code, hint: text.codeHint, error, required: true, autocomplete: 'one-time-code' })}
<div class="actions"><button class="button primary" type="submit">${text.button}</button>
${!isRequired && html`<a class="button" href="${BACK}">${messages.admin.cancel}</a>`}</div></form></section>`;
  const issues = { code: error };
  const stylesheets = [accountStylesheet];
  if (!isRequired) return renderPage(context, { title: text.title, stylesheets, issues, content });
  // The page has no navigation, because the user cannot open other pages until the second factor is set up.
  return renderPage(
    { ...withoutUser, messages, settings },
    {
      title: text.title,
      stylesheets,
      issues,
      content: html`${content}${languageForm(context, withNext(SETUP, wayOn(context)))}
<form class="actions aside" method="post" action="/logout">${formToken(context)}<button class="button quiet" type="submit">${icon('leave')}<span>${messages.nav.logout}</span></button></form>`,
    },
  );
}

async function renewCodes(context: AuthenticatedContext) {
  const checked = await check(context);
  if (!checked.ok) return askCodes(context, checked.problem);
  const { codes, codeHashes } = makeRecoveryCodes();
  if (
    !(await context.app.secondFactors.replaceRecoveryCodes(context.user, codeHashes, auditContextOf(context)))
  )
    return redirect(context, BACK);
  return showCodes(context, { title: context.messages.secondFactor.codes.made, codes, back: BACK });
}

async function switchOff(context: AuthenticatedContext) {
  const checked = await check(context);
  if (!checked.ok) return askOff(context, checked.problem);
  await context.app.secondFactors.turnOff(context.user, auditContextOf(context));
  return redirect(context, BACK, 'secondFactorOff');
}

function check(context: AuthenticatedContext) {
  const { user, form, request } = context;
  const deviceCookie = readCookie(context, deviceCookieOf(user.id));
  return context.app.checkCode(user, { code: form.get('code') ?? '', ip: request.clientIp(), deviceCookie });
}

/** Runs the handler only for users whose second factor is optional. */
function free(run: Run): Run {
  return async (context) =>
    isSecondFactorRequired(context.settings, context.user)
      ? problemPage(context, 409, context.messages.secondFactor.switchOff.refused)
      : run(context);
}

function askCodes(context: AuthenticatedContext, problem?: CodeProblem): Response {
  const { codes: text } = context.messages.secondFactor;
  const question: Question = {
    ask: text.ask,
    what: text.askWhat,
    action: CODES,
    button: text.button,
    back: BACK,
  };
  return askForCode(context, question, problem);
}

function askOff(context: AuthenticatedContext, problem?: CodeProblem): Response {
  const { switchOff: text } = context.messages.secondFactor;
  const question: Question = { ask: text.ask, what: text.what, action: OFF, button: text.button, back: BACK };
  return askForCode(context, question, problem);
}

/** The page after the setup: the requested one, else the home page if the factor is required, else the account page. */
function wayOn(context: AuthenticatedContext): string {
  const isAsked = context.form.has('next') || context.query.has('next');
  return isAsked || isSecondFactorRequired(context.settings, context.user) ? nextOf(context) : BACK;
}

const FEW = 3;

interface KnownFactor {
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

/** Shows the secret as a QR code, as a link that opens an app on a phone, and as a text that can be typed. */
function offerParts({ messages, settings, user }: AuthenticatedContext, { secret }: ShownOffer): Html {
  const { setup: text } = messages.secondFactor;
  const { admin, result } = messages;
  const url = toOtpauth(secret, { title: settings.title, account: user.email });
  return html`<h2>1. ${text.scan}</h2><p class="soft">${text.scanHint}</p>
${qrOf(url, text.qr)}
<p><a class="button" href="${url}">${text.open}</a></p>
<p class="typed">${text.type}</p>
<p><code class="secret-text">${secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
<p><button class="button" type="button" hidden data-copy="${secret}" data-copied="${result.copied}">${icon('copy')}<span>${admin.copy}</span></button></p>`;
}

function showCodes(
  context: AuthenticatedContext,
  { title, codes, back }: { title: string; codes: string[]; back: string },
): Response {
  return renderPage(context, {
    title,
    stylesheets: [accountStylesheet],
    content: html`<section class="card codes-once"><h1>${title}</h1><p>${context.messages.secondFactor.codes.what}</p>
${shownOnce(context, codes.join('\n'), back)}</section>`,
  });
}

/** A confirmation page that asks for a code of the second factor. */
function askForCode(context: AuthenticatedContext, question: Question, problem?: CodeProblem): Response {
  const { ask, what, action, button, back } = question;
  const { messages } = context;
  return renderPage(context, {
    title: ask,
    ...(problem?.kind === 'wait' && { status: 429 }),
    issues: { code: problem && sayProblem(problem, context) },
    headers: problem?.kind === 'wait' ? { 'retry-after': String(problem.seconds) } : {},
    content: html`<section class="card"><h1>${ask}</h1>${note('warning', what)}
<form method="post" action="${action}">${formToken(context)}${oneTimeToken()}
${textField({
  name: 'code',
  label: messages.secondFactor.login.code,
  hint: messages.secondFactor.login.codeHint,
  error: problem && sayProblem(problem, context),
  required: true,
  autocomplete: 'one-time-code',
})}
<div class="actions"><button class="button danger" type="submit">${button}</button><a class="button" href="${back}">${messages.admin.cancel}</a></div></form></section>`,
  });
}
