// UniFi with the API of its own web interface. Sites that use the same account share its login.

import { hash } from 'node:crypto';
import { type DrivenKind, type KindDeps, type Reached, reachedOf } from '../kind.ts';
import { UNIFI_BOUNDS, UNIFI_CODE } from '../unifi/limits.ts';
import type { Upstream } from '../upstream/upstream-http.ts';
import { type LastLogin, readLastLogin } from './classic-session.ts';
import { makeUnifiClassicDriver } from './driver.ts';
import { makeSession, type SharedSession } from './session.ts';

export const unifiClassic: DrivenKind = {
  name: 'unifi-classic',
  since: '0.1.0',
  summary: 'older versions and self-hosted servers, with a local administrator',
  hasAddress: true,
  credentials: [
    {
      name: 'username',
      isSecret: false,
      refuses: {
        pattern: /@/,
        because: 'cloud accounts need a second factor: create a local administrator and use it',
      },
    },
    { name: 'password', isSecret: true, keepsBlanks: true },
  ],
  code: UNIFI_CODE,
  bounds: UNIFI_BOUNDS,
  open(deps) {
    /**
     * The logins of each controller, keyed by a hash of the account. They are forgotten together with the connections
     * of the controller.
     */
    const logins = new WeakMap<Upstream, Map<string, SharedSession>>();
    return {
      makeDriver(place) {
        const reached = reachedOf(place);
        const { upstream, credentials } = reached;
        const ofController = logins.get(upstream) ?? new Map<string, SharedSession>();
        logins.set(upstream, ofController);
        const account = hash('sha256', JSON.stringify(credentials));
        const session = ofController.get(account) ?? openSession(reached, deps);
        ofController.set(account, session);
        return makeUnifiClassicDriver({ session, site: place.site });
      },
    };
  },
};

function openSession({ url, upstream, credentials }: Reached, { clock, sessions }: KindDeps): SharedSession {
  const { username = '', password = '' } = credentials;
  const urlAndUser = `${url} ${username}`;
  const keeper = {
    async load(): Promise<LastLogin | undefined> {
      const text = await sessions.load(urlAndUser);
      return text === undefined ? undefined : readLastLogin(text);
    },
    save: (login: LastLogin) => sessions.save(urlAndUser, JSON.stringify(login)),
  };
  return makeSession({ upstream, account: { username, password }, keeper, clock });
}
