// Shared parts of the login pages: the login form, the language choice and the redirect to the requested page.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { sayWait } from '../../../platform/texts/durations.ts';
import { loginProviderOf, type OfferedProvider, type PageContext } from '../../pages/context.ts';
import { readCookie, SESSION_COOKIE } from '../../pages/cookies.ts';
import { formToken, type Page, renderPage } from '../../pages/layout.ts';
import { canMailLinks, isClientOnThisMachine } from '../../pages/link-to.ts';
import { message, note } from '../../pages/message.ts';
import { MESSAGES } from '../../texts/messages.ts';
import type { PendingLoginProblem } from '../pending-login.ts';
import type { ProxyProblem } from '../proxy-login.ts';
import type { PasswordProblem } from '../verify-password.ts';

export const FORGOTTEN_PATH = '/login/forgotten';

export type LoginProblem = PasswordProblem | PendingLoginProblem | ProxyProblem;

/** What the login page offers beside the password form. */
interface Offers {
  provider?: OfferedProvider | undefined;
  /** Whether users who have forgotten their password can ask for a link. */
  hasReset?: boolean;
}

export async function findOffers(context: PageContext): Promise<Offers> {
  const provider = await loginProviderOf(context)?.findOffer(context);
  return { provider, hasReset: await canMailLinks(context) };
}

const STATUS = {
  'wrong-credentials': 401,
  'wrong-code': 401,
  over: 401,
  'proxy-user-unknown': 403,
  'proxy-header-wrong': 400,
  wait: 429,
  'unknown-device': 429,
  busy: 503,
} as const satisfies Record<LoginProblem['kind'], number>;

export function httpStatusOf({ kind }: LoginProblem): (typeof STATUS)[keyof typeof STATUS] {
  return STATUS[kind];
}

export function renderRefusal(
  context: PageContext,
  {
    title,
    content,
    problem,
    status = 200,
    ...said
  }: Pick<Page, 'title' | 'content' | 'message' | 'issues'> & {
    problem: LoginProblem | undefined;
    status?: 200 | 401;
  },
) {
  return renderPage(context, {
    title,
    content,
    ...said,
    status: problem ? httpStatusOf(problem) : status,
    headers: problem && 'seconds' in problem ? { 'retry-after': String(problem.seconds) } : {},
  });
}

interface LoginPageInput extends Offers {
  failed?: { email: string; problem: LoginProblem };
}

export function renderLoginPage(context: PageContext, { failed, provider, hasReset }: LoginPageInput = {}) {
  const { messages, request, query } = context;
  const { login: text } = messages;
  const next = nextOf(context);
  const draft = context.form.get('draft');
  // Logging out deletes the cookie. If there is a cookie but no session, the session has expired or was ended.
  const isEnded = !failed && !context.user && readCookie(context, SESSION_COOKIE) !== undefined;
  // The password form is always available at /login?local, in case the identity provider does not work.
  const isHidden = provider?.hidesPasswordForm && !failed && !query.has('local');
  return renderRefusal(context, {
    title: text.title,
    problem: failed?.problem,
    status: request.method === 'POST' ? 401 : 200,
    message: failed
      ? message('error', sayProblem(failed.problem, context))
      : isEnded
        ? message('warning', draft === null ? text.ended : text.endedKept)
        : undefined,
    content: html`<section class="card">
<h1>${text.title}</h1>
${provider && providerLink(context, provider, next)}
${!isHidden && provider && html`<hr>`}
${!isHidden && passwordForm(context, { failed, isSecond: provider !== undefined })}
${!isHidden && hasReset && html`<p class="actions aside"><a class="button quiet" href="${FORGOTTEN_PATH}">${text.forgotten.link}</a></p>`}
${!request.isHttps() && !isClientOnThisMachine(context) && html`<div class="plain-http">${note('warning', text.plainHttp)}</div>`}
</section>
${languageForm(context, withNext('/login', next))}
${context.slots.map(({ loginLink }) => loginLink?.(context))}`,
  });
}

/** A hidden field that keeps the draft during the login. */
export function draftField({ form }: PageContext): Html | false {
  const draft = form.get('draft');
  return draft !== null && html`<input type="hidden" name="draft" value="${draft}">`;
}

/** A link is used instead of a form, because the CSP would not allow a form to be redirected to the provider. */
function providerLink(context: PageContext, { label }: OfferedProvider, next: string): Html {
  const path = loginProviderOf(context)?.path ?? '';
  return html`<p><a class="button primary wide" href="${withNext(path, next)}">${label}</a></p>`;
}

function passwordForm(
  context: PageContext,
  { failed, isSecond }: { failed: LoginPageInput['failed']; isSecond: boolean },
): Html {
  const { login: text } = context.messages;
  return html`<form method="post" action="/login">${formToken(context)}
<input type="hidden" name="next" value="${nextOf(context)}">${draftField(context)}
<div class="field"><label for="email">${text.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${failed?.email}"${!failed?.email && html` autofocus`}></div>
<div class="field"><label for="password">${text.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${failed?.email && html` autofocus`}></div>
<p><label class="tick"><input type="checkbox" name="stay" value="1"${context.form.has('stay') && html` checked`}>${text.stay}</label>
<span class="sub">${text.stayHint}</span></p>
<button class="button ${!isSecond && 'primary'} wide" type="submit">${text.button}</button>
</form>`;
}

/** The language choice below the card, for users who cannot open the account page yet. */
export function languageForm(context: PageContext, next: string): Html {
  return html`<form class="actions languages" method="post" action="/language">${formToken(context)}<input type="hidden" name="next" value="${next}">
${Object.entries(MESSAGES).map(
  ([code, { language }]) =>
    html`<button class="button quiet" name="language" value="${code}" lang="${code}"${context.language === code && html` aria-pressed="true"`}>${language}</button>`,
)}</form>`;
}

export function sayProblem(problem: LoginProblem, { messages, language }: PageContext): string {
  if (problem.kind === 'wait') return messages.login.wait(sayWait(problem.seconds, language));
  if (problem.kind === 'busy') return messages.login.busy;
  if (problem.kind === 'unknown-device') return messages.login.unknownDevice;
  if (problem.kind === 'proxy-user-unknown') return messages.login.proxyUserUnknown;
  if (problem.kind === 'proxy-header-wrong') return messages.login.proxyHeaderWrong;
  if (problem.kind === 'over') return messages.secondFactor.login.over;
  return problem.kind === 'wrong-code' ? messages.secondFactor.login.wrong : messages.login.wrong;
}

/** The page to return to, from the `next` field of the form or the query. */
export function nextOf({ form, query }: PageContext): string {
  return ownPath(form.get('next') ?? query.get('next'));
}

export function withNext(path: string, next: string): string {
  return `${path}?${new URLSearchParams({ next })}`;
}

/** Accepts only paths on this host. This prevents open redirects. */
export function ownPath(next: string | null): string {
  return next && /^\/(?![/\\])[!-[\]-~]*$/.test(next) ? next : '/';
}
