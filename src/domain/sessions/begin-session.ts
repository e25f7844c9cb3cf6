// The last step of every login: stores a session, makes the browser a known device, forgets the failures of its network
// and writes an audit entry.

import type { Clock } from '../clock.ts';
import type { ExternalSessionStore } from '../single-sign-on/single-sign-on.ts';
import type { User } from '../users/user.ts';
import type { DeviceCookie, KnownDevices } from './known-device.ts';
import { accountOnNetwork, type LoginThrottleStore } from './login-throttle.ts';
import { makeSessionToken, type WebSession, type WebSessionStore } from './web-session.ts';

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

/** A login at the identity provider, which sends an ID token, or by a trusted proxy. */
export interface External {
  idToken?: string;
  authenticatedAtMs: number;
}

export type BeginSession = (
  user: User,
  from: {
    ip: string;
    agent: string;
    /** The session outlives the browser. */
    stays?: boolean;
    external?: External;
  },
) => Promise<BegunSession>;

interface Deps {
  webSessions: Pick<WebSessionStore, 'add'>;
  externalSessions: Pick<ExternalSessionStore, 'add'>;
  loginThrottle: Pick<LoginThrottleStore, 'forget'>;
  knownDevices: Pick<KnownDevices, 'issue'>;
  noteSignIn: NoteSignIn;
  clock: Clock;
}

const MAX_AGENT_LENGTH = 200;

export function makeBeginSession(deps: Deps): BeginSession {
  const { webSessions, externalSessions, loginThrottle, knownDevices, noteSignIn, clock } = deps;
  return async function beginSession(user, { ip, agent, stays = false, external }) {
    const nowMs = clock.nowMs();
    const { token, tokenHash } = makeSessionToken(user.id);
    const session: WebSession = {
      tokenHash,
      userId: user.id,
      createdAtMs: nowMs,
      seenAtMs: nowMs,
      ip,
      agent: agent.slice(0, MAX_AGENT_LENGTH),
      external: external ? (external.idToken === undefined ? 'proxy' : 'provider') : null,
      authenticatedAtMs: external ? external.authenticatedAtMs : nowMs,
      stays,
    };
    if (external) await externalSessions.add(session, external.idToken);
    else await webSessions.add(session);
    await noteSignIn(user, { action: 'user.signed-in', ip, atMs: nowMs });
    await loginThrottle.forget('account', user.email);
    await loginThrottle.forget('account-network', accountOnNetwork(user.email, ip));
    await loginThrottle.forget('ip', ip);
    return { token, stays, device: await knownDevices.issue(user) };
  };
}
