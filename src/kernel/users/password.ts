// Passwords: how they are hashed and how they are generated. A hash carries its own cost, so that the cost can be
// changed without locking users out: `scrypt$<log2 of N>$<salt>$<hash>$<p>`. Hashes of earlier releases have no p.

import { hash as digest, randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';

/**
 * With this cost, a check needs 32 MiB. Three passes make guessing about as expensive as one pass with N = 2^17, which
 * needs 128 MiB.
 */
const LOG2_COST = 15;
const BLOCK_SIZE = 8;
const PARALLEL = 3;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
export const MIN_PASSWORD_LENGTH = 10;

/** Letters and digits that are not confused with each other when read aloud or copied by hand. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * For unknown users, and for users whom only the identity provider authenticates. No password matches this hash, and it
 * takes as long to check as any other hash.
 */
export const NOBODYS_HASH = ['scrypt', LOG2_COST, 'A'.repeat(22), 'A'.repeat(43), PARALLEL].join('$');

/**
 * For users who have not set a password yet. No password matches this hash, and it takes as long to check as any other
 * hash.
 */
export function makeUnusableHash(): string {
  const random = (bytes: number) => randomBytes(bytes).toString('base64url');
  return ['scrypt', LOG2_COST, random(SALT_BYTES), random(HASH_BYTES), PARALLEL].join('$');
}

/**
 * Identifies a password hash without revealing it. The digest differs after every change of the password, because each
 * hash has a new salt.
 */
export function digestHash(passwordHash: string): string {
  return digest('sha256', passwordHash).slice(0, 32);
}

interface Cost {
  log2Cost: number;
  p: number;
}

function derive(password: string, salt: Buffer, { log2Cost, p }: Cost): Promise<Buffer> {
  const N = 2 ** log2Cost;
  const options = { N, r: BLOCK_SIZE, p, maxmem: 256 * N * BLOCK_SIZE };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, { log2Cost: LOG2_COST, p: PARALLEL });
  return ['scrypt', LOG2_COST, salt.toString('base64url'), hash.toString('base64url'), PARALLEL].join('$');
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, log2Cost, salt, hash, p = '1'] = stored.split('$');
  if (scheme !== 'scrypt' || !log2Cost || !salt || !hash) return false;
  const cost = { log2Cost: Number(log2Cost), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url'));
}

/** True for hashes of earlier releases, which need four times the memory, and for hashes of another tool. */
export function isOutdated(stored: string): boolean {
  return stored.startsWith('scrypt$17$') || isBcrypt(stored);
}

/** The highest bcrypt cost that is accepted from another tool. Checking a hash with a higher cost takes seconds. */
const MAX_BCRYPT_COST = 14;

/** True for a bcrypt hash, which was moved in from another tool. It is replaced when its user signs in. */
export function isBcrypt(stored: string): boolean {
  return bcryptCost(stored) !== undefined;
}

/**
 * The cost of a bcrypt hash. A cost that is higher by one means twice the work. Undefined if the text is no bcrypt
 * hash, or if its cost is not accepted.
 */
export function bcryptCost(stored: string): number | undefined {
  const cost = Number(/^\$2[aby]\$(\d\d)\$[./0-9A-Za-z]{53}$/.exec(stored)?.[1]);
  return cost >= 4 && cost <= MAX_BCRYPT_COST ? cost : undefined;
}

/** Four groups of five characters, about 99 bits. */
export function makePassword(): string {
  return makeReadable(4);
}

/** Groups of five characters, about 25 bits each. */
export function makeReadable(groups: number): string {
  const group = () => Array.from({ length: 5 }, () => READABLE[randomInt(READABLE.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}
