// The last step of every login: stores a session, makes the browser a known device, forgets the failures of its network
// and writes an audit entry.

import type { Clock } from '../clock.ts';
import type { User } from '../users/user.ts';
import type { DeviceCookie, KnownDevices } from './known-device.ts';
import { accountOnNetwork, type LoginThrottleStore } from './login-throttle.ts';
import { makeSessionToken, type WebSessionStore } from './web-session.ts';

export interface SignInEntry {
  action:
    | 'user.signed-in'
    | 'user.signed-out'
    | 'user.sign-in-failed'
    | 'user.code-wrong'
    | 'user.confirmation-failed';
  ip: string;
  atMs: number;
}

/** Writes an audit entry. */
export type NoteSignIn = (user: User, entry: SignInEntry) => Promise<void>;

export interface BegunSession {
  token: string;
  stays: boolean;
  device: DeviceCookie;
}

export type BeginSession = (
  user: User,
  /** `stays`: the session outlives the browser. */
  from: { ip: string; agent: string; stays?: boolean },
) => Promise<BegunSession>;

interface Deps {
  webSessions: Pick<WebSessionStore, 'add'>;
  loginThrottle: Pick<LoginThrottleStore, 'forget'>;
  knownDevices: Pick<KnownDevices, 'issue'>;
  noteSignIn: NoteSignIn;
  clock: Clock;
}

const MAX_AGENT_LENGTH = 200;

export function makeBeginSession(deps: Deps): BeginSession {
  const { webSessions, loginThrottle, knownDevices, noteSignIn, clock } = deps;
  return async function beginSession(user, { ip, agent, stays = false }) {
    const nowMs = clock.nowMs();
    const { token, tokenHash } = makeSessionToken(user.id);
    await webSessions.add({
      tokenHash,
      userId: user.id,
      createdAtMs: nowMs,
      seenAtMs: nowMs,
      ip,
      agent: agent.slice(0, MAX_AGENT_LENGTH),
      authenticatedAtMs: nowMs,
      stays,
    });
    await noteSignIn(user, { action: 'user.signed-in', ip, atMs: nowMs });
    await loginThrottle.forget('account', user.email);
    await loginThrottle.forget('account-network', accountOnNetwork(user.email, ip));
    await loginThrottle.forget('ip', ip);
    return { token, stays, device: await knownDevices.issue(user) };
  };
}
