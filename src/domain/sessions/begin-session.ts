// The last step of every login: stores a session, makes the browser a known device, forgets the failures of its network
// and writes an audit entry.

import type { Clock } from '../clock.ts';
import type { ExternalSessionStore } from '../single-sign-on/single-sign-on.ts';
import type { User, UserWithHash } from '../users/user.ts';
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

interface From {
  ip: string;
  agent: string;
}

export interface BeginSession {
  /**
   * Undefined if the password was changed or the user deactivated since the password was checked: such a change ends
   * all sessions, and a session that is stored after it would survive.
   * @param from.stays the session outlives the browser
   */
  afterPassword(user: UserWithHash, from: From & { stays: boolean }): Promise<BegunSession | undefined>;
  external(user: User, from: From & External): Promise<BegunSession>;
}

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

  function makeSession({ id }: User, { ip, agent }: From) {
    const nowMs = clock.nowMs();
    const { token, tokenHash } = makeSessionToken(id);
    const session: WebSession = {
      tokenHash,
      userId: id,
      createdAtMs: nowMs,
      seenAtMs: nowMs,
      ip,
      agent: agent.slice(0, MAX_AGENT_LENGTH),
      external: null,
      authenticatedAtMs: nowMs,
      stays: false,
    };
    return { token, session };
  }

  async function finish(user: User, { token, session }: ReturnType<typeof makeSession>) {
    const { ip, stays, createdAtMs } = session;
    await noteSignIn(user, { action: 'user.signed-in', ip, atMs: createdAtMs });
    await loginThrottle.forget('account', user.email);
    await loginThrottle.forget('account-network', accountOnNetwork(user.email, ip));
    await loginThrottle.forget('ip', ip);
    return { token, stays, device: await knownDevices.issue(user) };
  }

  return {
    async afterPassword(user, { stays, ...from }) {
      const { token, session: begun } = makeSession(user, from);
      const session = { ...begun, stays };
      return (await webSessions.add(session, user.passwordHash))
        ? finish(user, { token, session })
        : undefined;
    },
    async external(user, { idToken, authenticatedAtMs, ...from }) {
      const { token, session: begun } = makeSession(user, from);
      const external = idToken === undefined ? ('proxy' as const) : ('provider' as const);
      const session = { ...begun, external, authenticatedAtMs };
      await externalSessions.add(session, idToken);
      return finish(user, { token, session });
    },
  };
}
