// What the pages of signing in share: the form at the door, the choice of language, cookies, and the way back
// to where somebody wanted to go.

import type { HalfProblem } from '../../domain/users/half-sign-in.ts';
import type { PasswordProblem } from '../../domain/users/try-password.ts';
import { SESSION_COOKIE } from '../answer-visits.ts';
import { setCookie } from '../cookies.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { LANGUAGES } from '../language.ts';
import { answerPage, formToken } from '../layout.ts';
import type { Visit } from '../visit.ts';

export type DoorProblem = PasswordProblem | HalfProblem;

const STATUS: Record<DoorProblem['kind'], number> = {
  'wrong-credentials': 401,
  'wrong-code': 401,
  over: 401,
  wait: 429,
  busy: 503,
};

export function answerAtDoor(
  visit: Visit,
  { title, content, problem }: { title: string; content: Html; problem: DoorProblem | undefined },
) {
  return answerPage(visit, {
    title,
    content,
    status: problem ? STATUS[problem.kind] : 200,
    headers: problem && 'seconds' in problem ? { 'retry-after': String(problem.seconds) } : {},
  });
}

export function showDoor(visit: Visit, failed?: { email: string; problem: DoorProblem }) {
  const { words, house, request } = visit;
  const { signIn: text } = words;
  const next = nextOf(visit);
  return answerAtDoor(visit, {
    title: text.title,
    problem: failed?.problem,
    content: html`<section class="card">
<h1>${text.title}</h1>
${failed && html`<p class="note bad" role="alert">${icon('warning')}<span>${sayProblem(failed.problem, visit)}</span></p>`}
<form method="post" action="/login">${formToken(visit)}
<input type="hidden" name="next" value="${next}">
<div class="field"><label for="email">${text.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${failed?.email}"${!failed?.email && html` autofocus`}></div>
<div class="field"><label for="password">${text.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${failed?.email && html` autofocus`}></div>
<button class="button primary wide" type="submit">${text.button}</button>
</form>
${!request.isHttps() && html`<p class="note warn plain-http">${icon('warning')}<span>${text.plainHttp}</span></p>`}
</section>
${languageForm(visit, withNext('/login', next))}
${house.isApiPageOpen && html`<p class="actions aside"><a class="button quiet" href="/api-docs">${words.apiDocs.atTheDoor}</a></p>`}`,
  });
}

/** Below the card, for those who have no account page to choose on. */
export function languageForm(visit: Visit, next: string): Html {
  return html`<form class="actions languages" method="post" action="/language">${formToken(visit)}<input type="hidden" name="next" value="${next}">
${Object.entries(LANGUAGES).map(
  ([code, { language }]) =>
    html`<button class="button quiet" name="language" value="${code}" lang="${code}"${visit.language === code && html` aria-pressed="true"`}>${language}</button>`,
)}</form>`;
}

export function sayProblem(problem: DoorProblem, { words }: Visit): string {
  if (problem.kind === 'wait') return words.signIn.wait(problem.seconds);
  if (problem.kind === 'busy') return words.signIn.busy;
  if (problem.kind === 'over') return words.secondFactor.signIn.over;
  return problem.kind === 'wrong-code' ? words.secondFactor.signIn.wrong : words.signIn.wrong;
}

export function sessionCookie(value: string, isHttps: boolean, maxAgeS?: number): string {
  return setCookie({ name: SESSION_COOKIE, value, isHttps, ...(maxAgeS !== undefined && { maxAgeS }) });
}

/** Where somebody wanted to go, as the form or the address says. */
export function nextOf({ form, query }: Visit): string {
  return ownPath(form.get('next') ?? query.get('next'));
}

export function withNext(path: string, next: string): string {
  return `${path}?${new URLSearchParams({ next })}`;
}

/** Never to another host. */
function ownPath(next: string | null): string {
  return next && /^\/(?![/\\])[!-[\]-~]*$/.test(next) ? next : '/';
}
