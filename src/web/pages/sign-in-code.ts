// The second half of signing in: a code from the app or a recovery code, for those whose password was right.

import { type FinishSignIn, HALF_MS, type HalfProblem } from '../../domain/users/half-sign-in.ts';
import { cookieName, readCookie, setCookie } from '../cookies.ts';
import { textField } from '../fields.ts';
import { html } from '../html.ts';
import { formToken, redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import type { Visit } from '../visit.ts';
import {
  answerAtDoor,
  languageForm,
  nextOf,
  sayProblem,
  sessionCookie,
  showDoor,
  withNext,
} from './sign-in-parts.ts';

const PATH = '/login/code';
const HALF_COOKIE = 'gastpass-half';

export function toCodePage({ request }: Visit, token: string, next: string) {
  const wish = { name: HALF_COOKIE, value: token, isHttps: request.isHttps(), maxAgeS: HALF_MS / 1000 };
  return redirect(withNext(PATH, next), { 'set-cookie': setCookie(wish) });
}

export function makeSignInCodePages({ finishSignIn }: { finishSignIn: FinishSignIn }): Route[] {
  return [
    { method: 'GET', path: PATH, access: 'anyone', run: open },
    { method: 'POST', path: PATH, access: 'anyone', run: finish },
  ];

  async function open(visit: Visit) {
    if (visit.user) return redirect('/');
    return (await finishSignIn.isOpen(tokenOf(visit)))
      ? show(visit)
      : redirect(withNext('/login', nextOf(visit)));
  }

  async function finish(visit: Visit) {
    const { form, request } = visit;
    const finished = await finishSignIn.finish({
      token: tokenOf(visit),
      code: form.get('code') ?? '',
      address: request.clientAddress(),
      agent: request.headers['user-agent'] ?? '',
    });
    if (finished.ok)
      return redirect(nextOf(visit), { 'set-cookie': sessionCookie(finished.value, request.isHttps()) });
    const { problem } = finished;
    return problem.kind === 'over' ? showDoor(visit, { email: '', problem }) : show(visit, problem);
  }
}

/** What is left of the cookie afterwards opens nothing any more. */
function tokenOf({ request }: Visit): string {
  return readCookie(request.headers, cookieName(HALF_COOKIE, request.isHttps())) ?? '';
}

function show(visit: Visit, problem?: HalfProblem) {
  const { signIn: text } = visit.words.secondFactor;
  const next = nextOf(visit);
  return answerAtDoor(visit, {
    title: text.title,
    problem,
    content: html`<section class="card"><h1>${text.title}</h1>
<form method="post" action="${PATH}">${formToken(visit)}<input type="hidden" name="next" value="${next}">
${textField({
  name: 'code',
  label: text.code,
  hint: text.codeHint,
  error: problem && sayProblem(problem, visit),
  required: true,
  autocomplete: 'one-time-code',
  autofocus: true,
})}
<button class="button primary wide" type="submit">${text.button}</button></form>
<p class="actions aside"><a class="button quiet" href="${withNext('/login', next)}">${text.back}</a></p></section>
${languageForm(visit, withNext(PATH, next))}`,
  });
}
