// Signing in and out, and the choice of language.

import type { FirstAdminStore } from '../../domain/users/first-admin.ts';
import type { SignIn, SignInProblem } from '../../domain/users/sign-in.ts';
import type { WebSessionStore } from '../../domain/users/web-session.ts';
import { SESSION_COOKIE } from '../answer-visits.ts';
import { setCookie } from '../cookies.ts';
import { html } from '../html.ts';
import { icon } from '../icons.ts';
import { isLanguage, LANGUAGE_COOKIE, LANGUAGES } from '../language.ts';
import { answerPage, formToken, redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import type { Visit } from '../visit.ts';

const YEAR_S = 365 * 24 * 60 * 60;
const STATUS: Record<SignInProblem['kind'], number> = { 'wrong-credentials': 401, wait: 429, busy: 503 };

interface Needs {
  signIn: SignIn;
  firstAdmin: Pick<FirstAdminStore, 'isNobodyThere'>;
  webSessions: Pick<WebSessionStore, 'end'>;
}

export function makeSignInPages({ signIn, firstAdmin, webSessions }: Needs): Route[] {
  return [
    {
      method: 'GET',
      path: '/login',
      access: 'anyone',
      run: open,
    },
    { method: 'POST', path: '/login', access: 'anyone', run: enter },
    {
      method: 'POST',
      path: '/logout',
      access: 'operator',
      run: ({ user, session, request }) =>
        webSessions
          .end(user.id, session.tokenHash)
          .then(() => redirect('/login', { 'set-cookie': sessionCookie('', request.isHttps(), 0) })),
    },
    { method: 'POST', path: '/language', access: 'anyone', run: chooseLanguage },
  ];

  async function open(visit: Visit) {
    if (visit.user) return redirect('/');
    return (await firstAdmin.isNobodyThere()) ? redirect('/setup') : show(visit);
  }

  async function enter(visit: Visit) {
    const { form, request } = visit;
    const email = form.get('email') ?? '';
    const signedIn = await signIn({
      email,
      password: form.get('password') ?? '',
      address: request.clientAddress(),
      agent: request.headers['user-agent'] ?? '',
    });
    if (!signedIn.ok) return show(visit, { email, problem: signedIn.problem });
    const cookie = sessionCookie(signedIn.value.token, request.isHttps());
    return redirect(ownPath(form.get('next')), { 'set-cookie': cookie });
  }

  function chooseLanguage({ form, request }: Visit) {
    const wish = form.get('language');
    const cookie = isLanguage(wish)
      ? `${LANGUAGE_COOKIE}=${wish}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${YEAR_S}${request.isHttps() ? '; Secure' : ''}`
      : undefined;
    return redirect(ownPath(form.get('next')), cookie ? { 'set-cookie': cookie } : {});
  }

  function show(visit: Visit, failed?: { email: string; problem: SignInProblem }) {
    const { words, request, query, form } = visit;
    const { signIn: text } = words;
    const next = form.get('next') ?? query.get('next') ?? '/';
    return answerPage(visit, {
      title: text.title,
      status: failed ? STATUS[failed.problem.kind] : 200,
      headers: failed?.problem.kind === 'wait' ? { 'retry-after': String(failed.problem.seconds) } : {},
      content: html`<section class="card">
<h1>${text.title}</h1>
${failed && html`<p class="note bad" role="alert">${icon('warning')}<span>${toText(failed.problem, visit)}</span></p>`}
<form method="post" action="/login">${formToken(visit)}
<input type="hidden" name="next" value="${next}">
<div class="field"><label for="email">${text.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${failed?.email}"${!failed && html` autofocus`}></div>
<div class="field"><label for="password">${text.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${failed && html` autofocus`}></div>
<button class="button primary wide" type="submit">${text.button}</button>
</form>
${!request.isHttps() && html`<p class="note warn plain-http">${icon('warning')}<span>${text.plainHttp}</span></p>`}
</section>
<form class="actions languages" method="post" action="/language">${formToken(visit)}<input type="hidden" name="next" value="${`/login?${new URLSearchParams({ next })}`}">
${Object.entries(LANGUAGES).map(
  ([code, { language }]) =>
    html`<button class="button quiet" name="language" value="${code}" lang="${code}"${visit.language === code && html` aria-pressed="true"`}>${language}</button>`,
)}</form>`,
    });
  }
}

function toText(problem: SignInProblem, { words: { signIn: text } }: Visit): string {
  if (problem.kind === 'wait') return text.wait(problem.seconds);
  return problem.kind === 'busy' ? text.busy : text.wrong;
}

function sessionCookie(value: string, isHttps: boolean, maxAgeS?: number): string {
  return setCookie({ name: SESSION_COOKIE, value, isHttps, ...(maxAgeS !== undefined && { maxAgeS }) });
}

/** Never to another host. */
function ownPath(next: string | null): string {
  return next && /^\/(?![/\\])[^\s\\]*$/.test(next) ? next : '/';
}
