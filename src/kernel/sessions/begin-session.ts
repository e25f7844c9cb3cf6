// The last step of every login: stores a session, makes the browser a known device, forgets failed logins from its
// network and writes an audit entry.

import type { TextSeal } from '../../platform/secrets/text-seal.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { accountOnNetwork, type LoginThrottleStore } from '../users/login-throttle.ts';
import type { User, UserWithHash } from '../users/user.ts';
import type { ExternalSessionStore } from './external-session.ts';
import type { DeviceCookie, KnownDevices } from './known-device.ts';
import { makeSessionToken } from './session-token.ts';
import { nextCheck, type WebSession, type WebSessionStore } from './web-session.ts';

export interface LoginEntry {
  action:
    | 'user.signed-in'
    | 'user.signed-out'
    | 'user.sign-in-failed'
    | 'user.code-wrong'
    | 'user.confirmation-failed';
  ip: string;
  atMs: number;
}

/** Writes an audit entry about a login, a wrong code or a logout. */
export type RecordLogin = (user: User, entry: LoginEntry) => Promise<void>;

export interface BegunSession {
  token: string;
  stays: boolean;
  device: DeviceCookie;
}

/** A login through the identity provider or a trusted proxy. Only the provider sends an ID token. */
export interface External {
  idToken?: string;
  /** Undefined if the provider sends none. Then the session cannot be checked with the provider later. */
  refreshToken?: string | undefined;
  authenticatedAtMs: number;
}

interface From {
  ip: string;
  agent: string;
}

export interface BeginSession {
  /**
   * Undefined if the password was changed or the user was deactivated after the password was checked. Such a change
   * ends all sessions, so no session may be stored after it.
   * @param from.stays whether the session continues after the browser was closed
   * @param from.factorAtMs when the second factor was set up, if the user has entered its code
   */
  afterPassword(
    user: UserWithHash,
    from: From & { stays: boolean; factorAtMs?: number },
  ): Promise<BegunSession | undefined>;
  external(user: User, from: From & External): Promise<BegunSession>;
}

interface Deps {
  webSessions: Pick<WebSessionStore, 'add'>;
  externalSessions: Pick<ExternalSessionStore, 'add'>;
  loginThrottle: Pick<LoginThrottleStore, 'forget'>;
  knownDevices: Pick<KnownDevices, 'issue'>;
  recordLogin: RecordLogin;
  textSeal: TextSeal;
  clock: Clock;
}

const MAX_AGENT_LENGTH = 200;

export function makeBeginSession(deps: Deps): BeginSession {
  const { webSessions, externalSessions, loginThrottle, knownDevices, recordLogin, textSeal, clock } = deps;

  function makeSession({ id }: User, { ip, agent }: From) {
    const nowMs = clock.nowMs();
    const { token, tokenHash } = makeSessionToken(id, textSeal);
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

  async function finish(user: User, { token, session }: ReturnType<typeof makeSession>, factorAtMs?: number) {
    const { ip, stays, createdAtMs, external } = session;
    await recordLogin(user, { action: 'user.signed-in', ip, atMs: createdAtMs });
    await loginThrottle.forget('account-network', accountOnNetwork(user.email, ip));
    await loginThrottle.forget('ip', ip);
    return { token, stays, device: await knownDevices.issue(user, { factorAtMs, external }) };
  }

  return {
    async afterPassword(user, { stays, factorAtMs, ...from }) {
      const { token, session: begun } = makeSession(user, from);
      const session = { ...begun, stays };
      return (await webSessions.add(session, user.passwordHash))
        ? finish(user, { token, session }, factorAtMs)
        : undefined;
    },
    async external(user, { idToken, refreshToken, authenticatedAtMs, ...from }) {
      const { token, session: begun } = makeSession(user, from);
      const external = idToken === undefined ? ('proxy' as const) : ('provider' as const);
      const check = refreshToken !== undefined && { check: nextCheck(begun.createdAtMs) };
      const session = { ...begun, external, authenticatedAtMs, ...check };
      await externalSessions.add(session, idToken === undefined ? undefined : { idToken, refreshToken });
      return finish(user, { token, session });
    },
  };
}
