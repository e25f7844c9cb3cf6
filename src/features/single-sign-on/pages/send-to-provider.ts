// Redirects the browser to the identity provider, for a login or a test. If the login fails, shows the reason.

import { urlOf } from '../../../kernel/contract/openapi-handler.ts';
import type { AuthenticatedContext, PageContext } from '../../../kernel/pages/context.ts';
import { writeCookie } from '../../../kernel/pages/cookies.ts';
import { redirect, renderPage } from '../../../kernel/pages/layout.ts';
import { linkTo } from '../../../kernel/pages/link-to.ts';
import { message } from '../../../kernel/pages/message.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { ATTEMPT_MS, type BeginInput, type ProviderLoginProblem } from '../provider-login.ts';
import { SINGLE_SIGN_ON_TEXTS } from '../single-sign-on-texts.ts';

export const PROVIDER_LOGIN_PATH = '/login/oidc';
export const CALLBACK_PATH = '/login/oidc/callback';
/** The cookie of a login attempt. With SameSite=Lax, the browser sends it when the provider redirects back to us. */
export const ATTEMPT_COOKIE = 'gastpass-oidc';

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
} as const satisfies Record<ProviderLoginProblem['kind'], number>;

export async function sendToProvider(
  context: PageContext,
  input: Omit<BeginInput, 'redirectUri'>,
): Promise<{ response: Response; problem?: ProviderLoginProblem }> {
  // The provider will redirect the browser to the public address. So begin there too, to receive the cookie there.
  const { app, request, path, publicUrl } = context;
  if (publicUrl !== undefined && URL.parse(urlOf(request, ''))?.origin !== publicUrl)
    return { response: redirect(context, `${publicUrl}${path}${request.query && `?${request.query}`}`) };
  const begun = await app.providerLogin.begin({ ...input, redirectUri: linkTo(context, CALLBACK_PATH) });
  if (!begun.ok) return { response: showProviderProblem(context, begun.problem), problem: begun.problem };
  const { url, sealedAttempt } = begun.value;
  writeCookie(context, { name: ATTEMPT_COOKIE, value: sealedAttempt, maxAge: ATTEMPT_MS / 1000 });
  return { response: redirect(context, url) };
}

export function showProviderProblem(context: PageContext, problem: ProviderLoginProblem) {
  const text = SINGLE_SIGN_ON_TEXTS[context.language];
  const account = 'account' in problem ? problem.account : undefined;
  // Only administrators see the details, because the details could tell an attacker which check failed.
  const detail = isAdmin(context) && 'detail' in problem ? problem.detail : undefined;
  return renderPage(context, {
    title: text.refused,
    status: STATUS[problem.kind],
    message: message('error', text.problems[problem.kind]),
    content: html`<section class="card"><h1>${text.refused}</h1>
${account !== undefined && html`<p>${text.loggedInAs} <strong>${account}</strong></p>`}
${detail !== undefined && html`<pre>${detail}</pre>`}
<p class="soft">${text.requestNumber} ${context.request.id}</p>
<p class="actions"><a class="button primary" href="/login">${text.backToLogin}</a></p></section>`,
  });
}

export function isAdmin(context: PageContext): context is AuthenticatedContext {
  return context.user?.role === 'admin' && context.session !== undefined;
}
