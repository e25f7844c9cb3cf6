// Checks passwords a few at a time: hashing is made to be slow, and must not take the processor away from
// those who are signed in or call the API.

import { isPassword, NOBODYS_HASH } from './password.ts';

const AT_ONCE = 1;
const MOST_WAITING = 50;

/** Of nobody's hash it takes as long and is never right. */
export type PasswordCheck = (password: string, stored: string | undefined) => Promise<boolean | 'busy'>;

export function makePasswordCheck(): PasswordCheck {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async function checkPassword(password, stored) {
    if (waiting.length >= MOST_WAITING) return 'busy';
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      const right = await isPassword(password, stored ?? NOBODYS_HASH);
      return right && stored !== undefined;
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
