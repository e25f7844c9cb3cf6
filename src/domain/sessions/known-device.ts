// A known device is a browser in which the user has logged in before. It holds a sealed cookie, so that an attack on the
// account from elsewhere does not lock the user out. The cookie becomes void when the password changes.

import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { TextSeal } from '../sites/sealed-access.ts';
import { digestHash } from '../users/password.ts';
import type { User } from '../users/user.ts';

/** No other sealed text begins with this prefix. */
const PURPOSE = 'known device ';

const DEVICE = v.object({ id: v.string(), userId: v.number(), password: v.string() });

export type KnownUser = Pick<User, 'id'> & { passwordHash: string };

export interface KnownDevices {
  /** The value of the cookie. */
  issue(user: KnownUser): string;
  /** The id of the device; undefined if the cookie is not valid for this user. */
  read(cookie: string | undefined, user: KnownUser): string | undefined;
}

export function makeKnownDevices({ seal, open }: TextSeal): KnownDevices {
  return {
    issue({ id: userId, passwordHash }) {
      const id = randomBytes(12).toString('base64url');
      return seal(PURPOSE + JSON.stringify({ id, userId, password: digestHash(passwordHash) }));
    },
    read(cookie, { id: userId, passwordHash }) {
      const opened = cookie ? open(cookie) : undefined;
      if (!opened?.startsWith(PURPOSE)) return undefined;
      const device = v.parse(DEVICE, JSON.parse(opened.slice(PURPOSE.length)));
      const isValid = device.userId === userId && device.password === digestHash(passwordHash);
      return isValid ? device.id : undefined;
    },
  };
}
