// A known device is a browser in which the user has logged in before. It holds a sealed cookie, so that an attack on
// the account from elsewhere does not lock the user out. The cookie expires after half a year and when the password
// changes. If a code of the second factor was entered, the cookie records that. Then such an attack does not lock the
// user out of the second step either.

import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { TextSeal } from '../../platform/secrets/text-seal.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { UserId } from '../ids.ts';
import { digestHash } from '../users/password.ts';
import type { User, UserStore } from '../users/user.ts';
import type { WebSession } from './web-session.ts';

export const DEVICE_MS = 180 * 24 * 60 * 60_000;

/** No other sealed text begins with this prefix, so none is accepted as the cookie of a known device. */
const PURPOSE = 'known device ';

const DEVICE = v.object({
  id: v.string(),
  userId: v.number(),
  password: v.string(),
  atMs: v.number(),
  /** When the second factor was set up, if its code was entered on this device. */
  factorAtMs: v.optional(v.number()),
});

export type KnownUser = Pick<User, 'id'> & { passwordHash: string };

/** The cookie that makes a browser a known device of the user. */
export interface DeviceCookie {
  userId: UserId;
  cookie: string;
}

export interface KnownDevices {
  /**
   * @param by.factorAtMs when the second factor was set up, if the user has just entered its code
   * @param by.external who authenticated the user, if no password was used. Such logins can be repeated at will, so the
   * throttle treats all devices with such logins as one device.
   */
  issue(
    user: User,
    by?: { factorAtMs?: number | undefined; external?: WebSession['external'] },
  ): Promise<DeviceCookie>;
  /** Issues a new cookie after the password was changed, because that makes the previous cookie invalid. */
  renew(previous: string | undefined, user: User): Promise<DeviceCookie>;
  /** The id of the device; undefined if the cookie is not valid for this user. */
  read(cookie: string | undefined, user: KnownUser): string | undefined;
  /** Like `read`, but also undefined if no code of this second factor was entered on the device. */
  readForCode(cookie: string | undefined, user: User, factorAtMs: number): Promise<string | undefined>;
  /** When the cookie was issued; undefined if this installation did not issue it. */
  issuedAtMs(cookie: string): number | undefined;
}

interface Deps {
  textSeal: TextSeal;
  users: Pick<UserStore, 'findByEmail'>;
  clock: Clock;
}

export function makeKnownDevices({ textSeal, users, clock }: Deps): KnownDevices {
  function open(cookie: string | undefined) {
    const opened = cookie ? textSeal.open(cookie) : undefined;
    if (!opened?.startsWith(PURPOSE)) return undefined;
    const device = v.safeParse(DEVICE, JSON.parse(opened.slice(PURPOSE.length)));
    return device.success ? device.output : undefined;
  }

  function find(cookie: string | undefined, { id: userId, passwordHash }: KnownUser) {
    const device = open(cookie);
    const isValid =
      device?.userId === userId &&
      device.password === digestHash(passwordHash) &&
      clock.nowMs() - device.atMs < DEVICE_MS;
    return isValid ? device : undefined;
  }

  const issue: KnownDevices['issue'] = async ({ id: userId, email }, { factorAtMs, external } = {}) => {
    // Read the hash again, because a login or a change of the password may have replaced it.
    const { passwordHash = '' } = (await users.findByEmail(email)) ?? {};
    const id = external ?? randomBytes(12).toString('base64url');
    const device = { id, userId, password: digestHash(passwordHash), atMs: clock.nowMs(), factorAtMs };
    return { userId, cookie: textSeal.seal(PURPOSE + JSON.stringify(device)) };
  };

  return {
    issue,
    renew(previous, user) {
      const device = open(previous);
      return issue(user, { factorAtMs: device?.userId === user.id ? device.factorAtMs : undefined });
    },
    read: (cookie, user) => find(cookie, user)?.id,
    async readForCode(cookie, { email }, factorAtMs) {
      const user = await users.findByEmail(email);
      const device = user && find(cookie, user);
      return device?.factorAtMs === factorAtMs ? device.id : undefined;
    },
    issuedAtMs: (cookie) => open(cookie)?.atMs,
  };
}
