// Login at the identity provider: sends the browser there and receives it back. Also shows why a login was refused.

import type { Claims } from '../../../domain/single-sign-on/identity-provider.ts';
import {
  ATTEMPT_MS,
  type BeginInput,
  type ProviderSignIn,
  type ProviderSignInProblem,
} from '../../../domain/single-sign-on/sign-in-with-provider.ts';
import { urlOf } from '../../../http/openapi-handler.ts';
import type { AuthenticatedContext, PageContext } from '../../http/context.ts';
import { readCookie, writeCookie } from '../../http/cookies.ts';
import { linkTo } from '../../http/link-to.ts';
import type { Route } from '../../http/route.ts';
import { html } from '../../ui/html.ts';
import { redirect, renderPage } from '../../ui/layout.ts';
import { message } from '../../ui/message.ts';
import type { Enter } from './enter.ts';
import { nextOf, ownPath } from './login-form.ts';
import type { NoteLogin } from './note-login.ts';

export const PROVIDER_LOGIN_PATH = '/login/oidc';
export const CALLBACK_PATH = '/login/oidc/callback';
/** SameSite=Lax: the browser sends the cookie along when the provider redirects it back. */
const ATTEMPT_COOKIE = 'gastpass-oidc';

const STATUS = {
  'no-provider': 404,
  'attempt-over': 401,
  'provider-unreachable': 502,
  'provider-denied': 403,
  'token-refused': 401,
  'claims-refused': 403,
  'no-rule': 403,
  'email-unverified': 403,
  'email-unusable': 403,
  'account-disabled': 403,
  'last-admin': 403,
} as const satisfies Record<ProviderSignInProblem['kind'], number>;

interface Deps {
  providerSignIn: ProviderSignIn;
  enterWith: Enter;
  noteLogin: NoteLogin;
  showTest: (context: AuthenticatedContext, claims: Claims) => Promise<Response>;
}

export function makeProviderLoginPages(deps: Deps): Route[] {
  const { providerSignIn, enterWith, noteLogin, showTest } = deps;
  return [
    { method: 'GET', path: PROVIDER_LOGIN_PATH, access: 'anyone', run: begin },
    { method: 'GET', path: CALLBACK_PATH, access: 'anyone', run: finish },
  ];

  async function begin(context: PageContext) {
    const isAgain = context.query.has('again');
    const toProvider = await sendToProvider(context, providerSignIn, { next: nextOf(context), isAgain });
    if (toProvider.problem) note(context, toProvider.problem);
    return toProvider.response;
  }

  async function finish(context: PageContext) {
    const { request } = context;
    const finished = await providerSignIn.finish({
      sealedAttempt: readCookie(context, ATTEMPT_COOKIE) ?? '',
      query: request.query,
      ip: request.clientIp(),
      agent: request.headers['user-agent'] ?? '',
    });
    writeCookie(context, { name: ATTEMPT_COOKIE, value: '', maxAge: 0 });
    if (!finished.ok) {
      note(context, finished.problem);
      return showProblem(context, finished.problem);
    }
    const { value } = finished;
    if (value.kind === 'tested') {
      const isTester = isAdmin(context) && context.user.id === value.testedBy;
      return isTester ? showTest(context, value.claims) : redirect(context, '/login');
    }
    const { session, account, next } = value;
    noteLogin({ requestId: request.id, ip: request.clientIp(), account, result: 'success' });
    return enterWith(context, session, ownPath(next));
  }

  function note({ request }: PageContext, problem: ProviderSignInProblem) {
    noteLogin({
      requestId: request.id,
      ip: request.clientIp(),
      account: 'account' in problem ? problem.account : '',
      result: problem.kind,
      ...('detail' in problem && { detail: problem.detail }),
    });
  }
}

/** Starts a login or a test at the provider. */
export async function sendToProvider(
  context: PageContext,
  { begin }: Pick<ProviderSignIn, 'begin'>,
  input: Omit<BeginInput, 'redirectUri'>,
): Promise<{ response: Response; problem?: ProviderSignInProblem }> {
  // The cookie of the login must be at the address that the provider sends the browser back to.
  const { publicUrl, request, path } = context;
  if (publicUrl !== undefined && urlOf(request, '') !== publicUrl)
    return { response: redirect(context, `${publicUrl}${path}${request.query && `?${request.query}`}`) };
  const begun = await begin({ ...input, redirectUri: linkTo(context, CALLBACK_PATH) });
  if (!begun.ok) return { response: showProblem(context, begun.problem), problem: begun.problem };
  const { url, sealedAttempt } = begun.value;
  writeCookie(context, { name: ATTEMPT_COOKIE, value: sealedAttempt, maxAge: ATTEMPT_MS / 1000 });
  return { response: redirect(context, url) };
}

function showProblem(context: PageContext, problem: ProviderSignInProblem) {
  const { singleSignOn: text } = context.messages;
  const account = 'account' in problem ? problem.account : undefined;
  // Only administrators see the details: they may tell an attacker which check failed.
  const detail = isAdmin(context) && 'detail' in problem ? problem.detail : undefined;
  return renderPage(context, {
    title: text.refused,
    status: STATUS[problem.kind],
    message: message('error', text.problems[problem.kind]),
    content: html`<section class="card"><h1>${text.refused}</h1>
${account !== undefined && html`<p>${text.signedInAs} <strong>${account}</strong></p>`}
${detail !== undefined && html`<pre>${detail}</pre>`}
<p class="soft">${text.requestNumber} ${context.request.id}</p>
<p class="actions"><a class="button primary" href="/login">${text.backToLogin}</a></p></section>`,
  });
}

function isAdmin(context: PageContext): context is AuthenticatedContext {
  return context.user?.role === 'admin' && context.session !== undefined;
}
