// The account page of the signed-in user: password, second factor, sessions, language.

import type { HasPassword } from '../../../domain/sessions/confirm-password.ts';
import type { KnownDevices } from '../../../domain/sessions/known-device.ts';
import type { WebSessionStore } from '../../../domain/sessions/web-session.ts';
import { MIN_PASSWORD_LENGTH } from '../../../domain/users/password.ts';
import type { SecondFactorStore } from '../../../domain/users/second-factor.ts';
import type { SetPassword } from '../../../domain/users/set-password.ts';
import { findPasswordIssue } from '../../../domain/users/weak-password.ts';
import { type AuthenticatedContext, auditContextOf } from '../../http/context.ts';
import { writeDeviceCookie } from '../../http/cookies.ts';
import type { Route } from '../../http/route.ts';
import { LANGUAGES } from '../../i18n/language.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { formToken, redirect, renderPage } from '../../ui/layout.ts';
import { sayProblem } from '../login/login-form.ts';
import type { CheckOwnPassword } from '../login/recent-password.ts';
import { secondFactorCard } from './second-factor.ts';
import { sessionCard } from './session-list.ts';

interface Deps {
  hasPassword: HasPassword;
  setPassword: SetPassword;
  webSessions: Pick<WebSessionStore, 'list' | 'endAudited'>;
  secondFactors: Pick<SecondFactorStore, 'find'>;
  knownDevices: Pick<KnownDevices, 'issue' | 'issuedAtMs'>;
  checkOwnPassword: CheckOwnPassword;
}

type Note = { kind: 'good' | 'bad'; text: string };

export function makeAccountPages(deps: Deps): Route[] {
  const { hasPassword, setPassword, webSessions, secondFactors, knownDevices, checkOwnPassword } = deps;
  return [
    { method: 'GET', path: '/account', access: 'operator', run: (context) => show(context) },
    { method: 'POST', path: '/account/password', access: 'operator', run: changePassword },
    { method: 'POST', path: '/account/sessions/end', access: 'operator', run: endSession },
  ];

  async function changePassword(context: AuthenticatedContext) {
    const { form, user, session, messages, settings } = context;
    const next = form.get('next-password') ?? '';
    const issue = findPasswordIssue(next, { ...user, title: settings.title });
    if (issue)
      return show(context, {
        kind: 'bad',
        text: messages.account.passwordIssues[issue](MIN_PASSWORD_LENGTH),
      });
    const tried = await checkOwnPassword(context, form.get('current-password') ?? '');
    if (!tried.ok) {
      const isWrong = tried.problem.kind === 'wrong-credentials';
      const text = isWrong ? messages.account.wrong : sayProblem(tried.problem, context);
      return show(context, { kind: 'bad', text });
    }
    await setPassword(user.email, next, { keptSession: session.tokenHash, audit: auditContextOf(context) });
    // The change has voided the cookie of this device, too.
    writeDeviceCookie(context, await knownDevices.issue(user), knownDevices.issuedAtMs);
    return show(context, { kind: 'good', text: messages.account.changed });
  }

  async function endSession(context: AuthenticatedContext) {
    const { user, session, form } = context;
    const chosen = form.get('session');
    const which = chosen === null ? { except: session.tokenHash } : { tokenHash: chosen };
    await webSessions.endAudited(user, which, auditContextOf(context));
    return redirect(context, '/account#sessions');
  }

  async function show(context: AuthenticatedContext, note?: Note) {
    const { messages, user } = context;
    const { account: text } = messages;
    const [sessions, factor] = await Promise.all([webSessions.list(user.id), secondFactors.find(user.id)]);
    return renderPage(context, {
      title: text.title,
      status: note?.kind === 'bad' ? 422 : 200,
      content: html`<h1>${text.title}</h1>
${note && html`<p class="note ${note.kind}" role="status">${icon(note.kind === 'good' ? 'valid' : 'warning')}<span>${note.text}</span></p>`}
${(await hasPassword(user)) && passwordCard(context)}
${secondFactorCard(context, factor)}
${sessionCard(context, { sessions, action: '/account/sessions/end' })}
<section class="card"><h2>${text.language}</h2><form method="post" action="/language">${formToken(context)}<input type="hidden" name="next" value="/account">
<div class="actions">${Object.entries(LANGUAGES).map(
        ([code, { language }]) =>
          html`<button class="button" name="language" value="${code}" lang="${code}"${context.language === code && html` aria-pressed="true"`}>${language}</button>`,
      )}</div></form></section>`,
    });
  }
}

/** Not for users who come from the identity provider and have no password. */
function passwordCard(context: AuthenticatedContext): Html {
  const { user, messages } = context;
  const { account: text } = messages;
  return html`<section class="card"><h2>${text.password}</h2><form method="post" action="/account/password">${formToken(context)}
<input type="hidden" name="username" autocomplete="username" value="${user.email}">
<div class="field"><label for="current-password">${text.current}</label>
<input id="current-password" name="current-password" type="password" autocomplete="current-password" required></div>
<div class="field"><label for="next-password">${text.next}</label>
<input id="next-password" name="next-password" type="password" autocomplete="new-password" minlength="${MIN_PASSWORD_LENGTH}" required aria-describedby="next-hint">
<span class="hint" id="next-hint">${text.nextHint(MIN_PASSWORD_LENGTH)}</span></div>
<button class="button primary" type="submit">${text.change}</button></form></section>`;
}
