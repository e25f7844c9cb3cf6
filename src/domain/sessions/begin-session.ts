// The last step of every login: stores a session and writes an audit entry.

import type { Clock } from '../clock.ts';
import type { User } from '../users/user.ts';
import { makeToken, type WebSessionStore } from './web-session.ts';

/** Returns the session's token. */
export type BeginSession = (user: User, from: { ip: string; agent: string }) => Promise<string>;

interface Deps {
  webSessions: Pick<WebSessionStore, 'add'>;
  noteSignIn: (user: User, ip: string, atMs: number) => Promise<void>;
  clock: Clock;
}

const MAX_AGENT_LENGTH = 200;

export function makeBeginSession({ webSessions, noteSignIn, clock }: Deps): BeginSession {
  return async function beginSession(user, { ip, agent }) {
    const nowMs = clock.nowMs();
    const { token, tokenHash } = makeToken();
    await webSessions.add({
      tokenHash,
      userId: user.id,
      createdAtMs: nowMs,
      seenAtMs: nowMs,
      ip,
      agent: agent.slice(0, MAX_AGENT_LENGTH),
    });
    await noteSignIn(user, ip, nowMs);
    return token;
  };
}
