// Login through the identity provider: redirects the browser to the provider and handles its response.

import type { PageContext } from '../../../kernel/pages/context.ts';
import { readCookie, writeCookie } from '../../../kernel/pages/cookies.ts';
import { redirect } from '../../../kernel/pages/layout.ts';
import type { Route } from '../../../kernel/pages/route.ts';
import { enterWith } from '../../../kernel/sessions/pages/enter.ts';
import { nextOf, ownPath } from '../../../kernel/sessions/pages/login-form.ts';
import { noteLogin } from '../../../kernel/sessions/pages/note-login.ts';
import type { ProviderLoginProblem } from '../provider-login.ts';
import {
  ATTEMPT_COOKIE,
  CALLBACK_PATH,
  isAdmin,
  PROVIDER_LOGIN_PATH,
  sendToProvider,
  showProviderProblem,
} from './send-to-provider.ts';
import { showTest } from './single-sign-on.ts';

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
