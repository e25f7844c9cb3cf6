// Login, logout and the choice of language.

import { isLanguage } from '../../../platform/text/language.ts';
import { fail } from '../../../platform/values/result.ts';
import { type AuthenticatedContext, loginProviderOf, type PageContext } from '../../pages/context.ts';
import {
  deviceCookieOf,
  readCookie,
  SESSION_COOKIE,
  writeCookie,
  writeLanguageCookie,
} from '../../pages/cookies.ts';
import { redirect } from '../../pages/layout.ts';
import { type ProxyUser, readProxyUser } from '../../pages/proxy-user.ts';
import type { Route } from '../../pages/route.ts';
import { enterWith } from './enter.ts';
import { toCodePage } from './login-code.ts';
import { findOffers, nextOf, renderLoginPage } from './login-form.ts';
import { noteLogin } from './note-login.ts';

export const loginRoutes: Route[] = [
  { method: 'GET', path: '/login', permission: 'anyone', run: open },
  { method: 'POST', path: '/login', permission: 'anyone', run: enter },
  { method: 'POST', path: '/logout', permission: 'newcomer', run: leave },
  { method: 'POST', path: '/language', permission: 'anyone', run: chooseLanguage },
];

async function leave(context: AuthenticatedContext) {
  const { app, user, session, request, nowMs } = context;
  async function endSession(): Promise<void> {
    await app.webSessions.end(user.id, session.tokenHash);
    await app.recordLogin(user, { action: 'user.signed-out', ip: request.clientIp(), atMs: nowMs });
  }
  const provider = loginProviderOf(context);
  const logoutUrl = await provider?.logout(context, endSession);
  if (!provider) await endSession();
  writeCookie(context, { name: SESSION_COOKIE, value: '', maxAge: 0 });
  if (provider && logoutUrl !== undefined) return provider.showLogout(context, logoutUrl);
  // Without `?local`, the login page would immediately sign in the user whom the proxy names.
  return redirect(context, readProxyUser(context) ? '/login?local' : '/login');
}

async function open(context: PageContext) {
  if (context.user) return redirect(context, '/');
  if (await context.app.firstAdmin.isNobodyThere()) return redirect(context, '/setup');
  const named = context.query.has('local') ? undefined : readProxyUser(context);
  if (named && isNavigation(context)) return enterByProxy(context, named);
  return renderLoginPage(context, await findOffers(context));
}

async function enterByProxy(context: PageContext, named: ProxyUser) {
  const { request } = context;
  const email = named.kind === 'user' ? named.email : '';
  const agent = request.headers['user-agent'] ?? '';
  const loggedIn =
    named.kind === 'user'
      ? await context.app.proxyLogin(email, { ip: request.clientIp(), agent })
      : fail({ kind: 'proxy-header-wrong' as const });
  if (!loggedIn.ok || loggedIn.value.isNew)
    noteLogin(context, { account: email, result: loggedIn.ok ? 'success' : loggedIn.problem.kind });
  if (!loggedIn.ok) return renderLoginPage(context, { failed: { email: '', problem: loggedIn.problem } });
  return enterWith(context, loggedIn.value.session);
}

async function enter(context: PageContext) {
  const { form, request } = context;
  const email = form.get('email') ?? '';
  const loggedIn = await context.app.login({
    email,
    password: form.get('password') ?? '',
    ip: request.clientIp(),
    agent: request.headers['user-agent'] ?? '',
    stays: form.has('stay'),
    readDeviceCookie: (userId) => readCookie(context, deviceCookieOf(userId)),
  });
  if (!loggedIn.ok) {
    noteLogin(context, { account: email, result: loggedIn.problem.kind });
    const failed = { email, problem: loggedIn.problem };
    return renderLoginPage(context, { failed, ...(await findOffers(context)) });
  }
  noteLogin(context, { account: email, result: 'session' in loggedIn.value ? 'success' : 'code-asked' });
  if ('pendingToken' in loggedIn.value) return toCodePage(context, loggedIn.value.pendingToken);
  return enterWith(context, loggedIn.value.session);
}

function chooseLanguage(context: PageContext) {
  const language = context.form.get('language');
  if (isLanguage(language)) writeLanguageCookie(context, language);
  return redirect(context, nextOf(context));
}

/** True if a user opens the page in a browser. Requests of scripts and images must not sign in the proxy's user. */
function isNavigation({ request: { method, headers } }: PageContext): boolean {
  const mode = headers['sec-fetch-mode'];
  if (method !== 'GET') return false;
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate';
}
