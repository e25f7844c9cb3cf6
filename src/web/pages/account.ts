// Somebody's own account: password, second factor, where they are signed in, language.

import { hashPassword, SHORTEST_PASSWORD } from '../../domain/users/password.ts';
import type { SecondFactorStore } from '../../domain/users/second-factor.ts';
import type { TryPassword } from '../../domain/users/try-password.ts';
import type { UserStore } from '../../domain/users/user.ts';
import type { WebSession, WebSessionStore } from '../../domain/users/web-session.ts';
import { sayTime } from '../durations.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { LANGUAGES } from '../language.ts';
import { answerPage, formToken, redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import { auditOf, type UserVisit } from '../visit.ts';
import { secondFactorCard } from './second-factor-parts.ts';
import { sayProblem } from './sign-in-parts.ts';

interface Needs {
  users: Pick<UserStore, 'setPassword'>;
  webSessions: Pick<WebSessionStore, 'list' | 'end' | 'endOthers'>;
  secondFactors: Pick<SecondFactorStore, 'find'>;
  tryPassword: TryPassword;
}

type Note = { kind: 'good' | 'bad'; text: string };

export function makeAccountPages({ users, webSessions, secondFactors, tryPassword }: Needs): Route[] {
  return [
    { method: 'GET', path: '/account', access: 'operator', run: (visit) => show(visit) },
    { method: 'POST', path: '/account/password', access: 'operator', run: changePassword },
    { method: 'POST', path: '/account/sessions/end', access: 'operator', run: endSession },
  ];

  async function changePassword(visit: UserVisit) {
    const { form, user, session, words, request } = visit;
    const next = form.get('next-password') ?? '';
    if ([...next].length < SHORTEST_PASSWORD)
      return show(visit, { kind: 'bad', text: words.account.tooShort(SHORTEST_PASSWORD) });
    const tried = await tryPassword({
      email: user.email,
      password: form.get('current-password') ?? '',
      address: request.clientAddress(),
    });
    if (!tried.ok) {
      const isWrong = tried.problem.kind === 'wrong-credentials';
      const text = isWrong ? words.account.wrong : sayProblem(tried.problem, visit);
      return show(visit, { kind: 'bad', text });
    }
    await users.setPassword(user.email, await hashPassword(next), auditOf(visit));
    await webSessions.endOthers(user.id, session.tokenHash);
    return show(visit, { kind: 'good', text: words.account.changed });
  }

  async function endSession({ form, user }: UserVisit) {
    await webSessions.end(user.id, form.get('session') ?? '');
    return redirect('/account');
  }

  async function show(visit: UserVisit, note?: Note) {
    const { words, user } = visit;
    const { account: text } = words;
    const [sessions, factor] = await Promise.all([webSessions.list(user.id), secondFactors.find(user.id)]);
    return answerPage(visit, {
      title: text.title,
      status: note?.kind === 'bad' ? 422 : 200,
      content: html`<h1>${text.title}</h1>
${note && html`<p class="note ${note.kind}" role="status">${icon(note.kind === 'good' ? 'valid' : 'warning')}<span>${note.text}</span></p>`}
<section class="card"><h2>${text.password}</h2><form method="post" action="/account/password">${formToken(visit)}
<input type="hidden" name="username" autocomplete="username" value="${user.email}">
<div class="field"><label for="current-password">${text.current}</label>
<input id="current-password" name="current-password" type="password" autocomplete="current-password" required></div>
<div class="field"><label for="next-password">${text.next}</label>
<input id="next-password" name="next-password" type="password" autocomplete="new-password" minlength="${SHORTEST_PASSWORD}" required aria-describedby="next-hint">
<span class="hint" id="next-hint">${text.nextHint(SHORTEST_PASSWORD)}</span></div>
<button class="button primary" type="submit">${text.change}</button></form></section>
${secondFactorCard(visit, factor)}
<section class="card"><h2>${text.sessions}</h2>${sessions.map((session) => sessionRow(visit, session))}</section>
<section class="card"><h2>${text.language}</h2><form method="post" action="/language">${formToken(visit)}<input type="hidden" name="next" value="/account">
<div class="actions">${Object.entries(LANGUAGES).map(
        ([code, { language }]) =>
          html`<button class="button" name="language" value="${code}" lang="${code}"${visit.language === code && html` aria-pressed="true"`}>${language}</button>`,
      )}</div></form></section>`,
    });
  }
}

const BROWSERS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' };
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Macintosh', 'Linux'];

/** "Firefox, Windows"; what nobody knows stays as it is. */
function sayAgent(agent: string): string {
  const browser = Object.entries(BROWSERS).find(([mark]) => agent.includes(mark))?.[1];
  const system = SYSTEMS.find((mark) => agent.includes(mark));
  return [browser, system].filter(Boolean).join(', ') || agent || '–';
}

function sessionRow(
  visit: UserVisit,
  { tokenHash, agent, address, createdAtMs, seenAtMs }: WebSession,
): Html {
  const { words, language, timeZone, session } = visit;
  const { account: text } = words;
  const time = (ms: number) => sayTime(ms, { language, timeZone });
  const isThis = tokenHash === session.tokenHash;
  return html`<div class="session"><p><span title="${agent}">${sayAgent(agent)}</span><span class="sub">${address} · ${text.since} ${time(createdAtMs)} · ${text.seen} ${time(seenAtMs)}</span></p>
${
  isThis
    ? html`<span class="pill valid">${icon('valid')}${text.thisOne}</span>`
    : html`<form method="post" action="/account/sessions/end">${formToken(visit)}<input type="hidden" name="session" value="${tokenHash}"><button class="button" type="submit">${text.end}</button></form>`
}</div>`;
}
