// A list of sessions with browser, system and IP address, and buttons that end them. It is shown on the user's own
// account page, and to administrators on the page of each user.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { sayAgent } from '../../../platform/pages/ui/say-agent.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { formToken } from '../../pages/layout.ts';
import { isSessionOver, type WebSession } from '../../sessions/web-session.ts';

/** All forms are sent to `action`: one per session ends this session, and one ends all sessions but the current one. */
export function sessionCard(
  context: AuthenticatedContext,
  { sessions, action }: { sessions: WebSession[]; action: string },
): Html {
  const { account: text } = context.messages;
  const open = sessions.filter((session) => !isSessionOver(session, context.nowMs));
  const others = open.filter(({ tokenHash }) => tokenHash !== context.session.tokenHash);
  return html`<section class="card"><h2>${text.sessions}</h2>
${open.length === 0 && html`<p class="soft">${text.noSessions}</p>`}
${open.map((session) => sessionRow(context, session, action))}
${others.length > 1 && html`<form method="post" action="${action}" class="actions">${formToken(context)}<button class="button risky" type="submit">${others.length < open.length ? text.endOthers : text.endAll}</button></form>`}</section>`;
}

function sessionRow(context: AuthenticatedContext, session: WebSession, action: string): Html {
  const { messages, language, timeZone } = context;
  const { account: text } = messages;
  const { tokenHash, agent, ip, createdAtMs, seenAtMs, stays } = session;
  const time = (ms: number) => sayTime(ms, { language, timeZone });
  return html`<div class="session"><p><span title="${agent}">${sayAgent(agent)}</span>
<span class="sub">${ip} · ${text.seen} ${time(seenAtMs)}</span>
<span class="sub">${text.since} ${time(createdAtMs)}${stays && html` · ${text.stays}`}</span></p>
${
  tokenHash === context.session.tokenHash
    ? html`<span class="pill valid">${icon('valid')}${text.thisOne}</span>`
    : html`<form method="post" action="${action}">${formToken(context)}<input type="hidden" name="session" value="${tokenHash}"><button class="button" type="submit">${text.end}</button></form>`
}</div>`;
}
