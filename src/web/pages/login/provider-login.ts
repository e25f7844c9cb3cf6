// Login through the identity provider: redirects the browser to the provider and handles its response.

import type { ProviderLoginProblem } from '../../../domain/single-sign-on/provider-login.ts';
import type { PageContext } from '../../http/context.ts';
import { readCookie, writeCookie } from '../../http/cookies.ts';
import type { Route } from '../../http/route.ts';
import { redirect } from '../../ui/layout.ts';
import { showTest } from '../single-sign-on/single-sign-on.ts';
import { enterWith } from './enter.ts';
import { nextOf, ownPath } from './login-form.ts';
import { noteLogin } from './note-login.ts';
import {
  ATTEMPT_COOKIE,
  CALLBACK_PATH,
  isAdmin,
  PROVIDER_LOGIN_PATH,
  sendToProvider,
  showProviderProblem,
} from './send-to-provider.ts';

export const providerLoginRoutes: Route[] = [
  { method: 'GET', path: PROVIDER_LOGIN_PATH, permission: 'anyone', run: begin },
  { method: 'GET', path: CALLBACK_PATH, permission: 'anyone', run: finish },
];

async function begin(context: PageContext) {
  const isAgain = context.query.has('again');
  const toProvider = await sendToProvider(context, { next: nextOf(context), isAgain });
  if (toProvider.problem) note(context, toProvider.problem);
  return toProvider.response;
}

async function finish(context: PageContext) {
  const { request } = context;
  const finished = await context.app.providerLogin.finish({
    sealedAttempt: readCookie(context, ATTEMPT_COOKIE) ?? '',
    query: request.query,
    ip: request.clientIp(),
    agent: request.headers['user-agent'] ?? '',
  });
  writeCookie(context, { name: ATTEMPT_COOKIE, value: '', maxAge: 0 });
  if (!finished.ok) {
    note(context, finished.problem);
    return showProviderProblem(context, finished.problem);
  }
  const { value } = finished;
  if (value.kind === 'tested') {
    const isTester = isAdmin(context) && context.user.id === value.testedBy;
    return isTester ? showTest(context, value.claims) : redirect(context, '/login');
  }
  const { session, account, next } = value;
  noteLogin(context, { account, result: 'success' });
  return enterWith(context, session, ownPath(next));
}

function note(context: PageContext, problem: ProviderLoginProblem) {
  noteLogin(context, {
    account: 'account' in problem ? problem.account : '',
    result: problem.kind,
    ...('detail' in problem && { detail: problem.detail }),
  });
}
