// A known device is a browser in which the user has logged in before. It holds a sealed cookie, so that an attack on the
// account from elsewhere does not lock the user out. The cookie ends after half a year and when the password changes.

import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { UserId } from '../ids.ts';
import type { TextSeal } from '../sites/sealed-access.ts';
import { digestHash } from '../users/password.ts';
import type { User, UserStore } from '../users/user.ts';

export const DEVICE_MS = 180 * 24 * 60 * 60_000;

/** No other sealed text begins with this prefix. */
const PURPOSE = 'known device ';

const DEVICE = v.object({ id: v.string(), userId: v.number(), password: v.string(), atMs: v.number() });

export type KnownUser = Pick<User, 'id'> & { passwordHash: string };

/** The cookie that makes a browser a known device of the user. */
export interface DeviceCookie {
  userId: UserId;
  cookie: string;
}

export interface KnownDevices {
  issue(user: User): Promise<DeviceCookie>;
  /** The id of the device; undefined if the cookie is not valid for this user. */
  read(cookie: string | undefined, user: KnownUser): string | undefined;
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

  return {
    async issue({ id: userId, email }) {
      // Read again, because a login or a change of the password has replaced the hash.
      const { passwordHash = '' } = (await users.findByEmail(email)) ?? {};
      const id = randomBytes(12).toString('base64url');
      const device = { id, userId, password: digestHash(passwordHash), atMs: clock.nowMs() };
      return { userId, cookie: textSeal.seal(PURPOSE + JSON.stringify(device)) };
    },
    read(cookie, { id: userId, passwordHash }) {
      const device = open(cookie);
      const isValid =
        device?.userId === userId &&
        device.password === digestHash(passwordHash) &&
        clock.nowMs() - device.atMs < DEVICE_MS;
      return isValid ? device.id : undefined;
    },
    issuedAtMs: (cookie) => open(cookie)?.atMs,
  };
}
