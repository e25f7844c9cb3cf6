// The account page of the signed-in user: password, second factor, sessions, language, theme.

import { accountStylesheet } from '../../../platform/pages/assets.ts';
import { textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { deviceCookieOf, readCookie, writeDeviceCookie } from '../../pages/cookies.ts';
import { formToken, redirect, renderPage } from '../../pages/layout.ts';
import type { FieldIssues } from '../../pages/message.ts';
import type { Route } from '../../pages/route.ts';
import { sayProblem } from '../../sessions/pages/login-form.ts';
import { checkOwnPassword } from '../../sessions/pages/recent-password.ts';
import { MESSAGES } from '../../texts/messages.ts';
import { MIN_PASSWORD_LENGTH } from '../password.ts';
import { findPasswordIssue } from '../weak-password.ts';
import { renewCookie } from './renew-cookie.ts';
import { secondFactorCard } from './second-factor.ts';
import { sessionCard } from './session-list.ts';
import { themeCard } from './theme.ts';

export const accountRoutes: Route[] = [
  { method: 'GET', path: '/account', permission: 'operator', run: show },
  { method: 'POST', path: '/account/password', permission: 'operator', run: changePassword },
  { method: 'POST', path: '/account/sessions/end', permission: 'operator', run: endSession },
];

async function changePassword(context: AuthenticatedContext) {
  const { setPassword, knownDevices } = context.app;
  const { form, user, session, messages, settings } = context;
  const next = form.get('next-password') ?? '';
  const issue = findPasswordIssue(next, { ...user, title: settings.title });
  if (issue)
    return show(context, { 'next-password': messages.account.passwordIssues[issue](MIN_PASSWORD_LENGTH) });
  const tried = await checkOwnPassword(context, form.get('current-password') ?? '');
  if (!tried.ok) {
    const isWrong = tried.problem.kind === 'wrong-credentials';
    const text = isWrong ? messages.account.wrong : sayProblem(tried.problem, context);
    return show(context, { 'current-password': text });
  }
  await setPassword(user.email, next, { keptSession: session.tokenHash, audit: auditContextOf(context) });
  // The new password has made the device cookie of this browser invalid, so the browser gets a new one.
  const renewed = await knownDevices.renew(readCookie(context, deviceCookieOf(user.id)), user);
  writeDeviceCookie(context, renewed, knownDevices.issuedAtMs);
  await renewCookie(context);
  return redirect(context, '/account', 'passwordChanged');
}

async function endSession(context: AuthenticatedContext) {
  const { user, session, form } = context;
  const chosen = form.get('session');
  const which = chosen === null ? { except: session.tokenHash } : { tokenHash: chosen };
  await context.app.webSessions.endAudited(user, which, auditContextOf(context));
  if (chosen === null) await renewCookie(context);
  return redirect(context, '/account', chosen === null ? 'sessionsEnded' : 'sessionEnded');
}

async function show(context: AuthenticatedContext, issues: FieldIssues = {}) {
  const { webSessions, secondFactors, hasPassword } = context.app;
  const { messages, user } = context;
  const { account: text } = messages;
  const [sessions, factor] = await Promise.all([webSessions.list(user.id), secondFactors.find(user.id)]);
  return renderPage(context, {
    title: text.title,
    stylesheets: [accountStylesheet],
    issues,
    content: html`<h1>${text.title}</h1>
${(await hasPassword(user)) && passwordCard(context, issues)}
${secondFactorCard(context, factor)}
${sessionCard(context, { sessions, action: '/account/sessions/end' })}
<section class="card"><h2>${text.language}</h2><form method="post" action="/language">${formToken(context)}<input type="hidden" name="next" value="/account">
<div class="actions">${Object.entries(MESSAGES).map(
      ([code, { language }]) =>
        html`<button class="button" name="language" value="${code}" lang="${code}"${context.language === code && html` aria-pressed="true"`}>${language}</button>`,
    )}</div></form></section>
${themeCard(context)}`,
  });
}

/** The form to change the password. It is not shown to users without a password. */
function passwordCard(context: AuthenticatedContext, issues: FieldIssues): Html {
  const { user, messages } = context;
  const { account: text } = messages;
  return html`<section class="card"><h2>${text.password}</h2><form method="post" action="/account/password">${formToken(context)}
<input type="hidden" name="username" autocomplete="username" value="${user.email}">
${textField({ name: 'current-password', label: text.current, type: 'password', autocomplete: 'current-password', required: true, error: issues['current-password'] })}
${textField({ name: 'next-password', label: text.next, type: 'password', hint: text.nextHint(MIN_PASSWORD_LENGTH), autocomplete: 'new-password', required: true, error: issues['next-password'] })}
<button class="button primary" type="submit">${text.change}</button></form></section>`;
}
