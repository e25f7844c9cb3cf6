// Makes password hashes cheap in everyday tests, where hashing took a tenth of the time. Loaded before each test
// process and each command; the browser tests and the long tests hash at full cost. Hashes of earlier releases, and
// hashes that tests make themselves, are not changed. The passphrases of backups are treated in the same way.

import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const FULL_COSTS: (number | undefined)[] = [2 ** 15, 2 ** 17];
const CHEAP_COST = 2 ** 8;

const { scrypt, scryptSync } = crypto;
let isCheap = true;

/** For tests that depend on the time of a password check. */
export function hashAtFullCost(isFull: boolean): void {
  isCheap = !isFull;
}

type Derived = (error: Error | null, key: Buffer) => void;

function scryptCheaply(
  password: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  length: number,
  options: ScryptOptions,
  derived: Derived,
): void {
  scrypt(
    password,
    salt,
    length,
    { ...options, ...(isCheap && FULL_COSTS.includes(options.N) && { N: CHEAP_COST }) },
    derived,
  );
}

function cheapened(options: ScryptOptions): ScryptOptions {
  return isCheap && FULL_COSTS.includes(options.N) ? { ...options, N: CHEAP_COST } : options;
}

Object.assign(crypto, {
  scrypt: scryptCheaply,
  scryptSync: (
    password: crypto.BinaryLike,
    salt: crypto.BinaryLike,
    length: number,
    options: ScryptOptions = {},
  ) => scryptSync(password, salt, length, cheapened(options)),
});
syncBuiltinESMExports();
