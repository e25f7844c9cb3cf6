// Compares a password with a stored hash: our own scrypt hash, or the bcrypt hash of a user who was moved in from
// another tool. While bcrypt hashes are stored, every check compares one scrypt hash and does the work of bcrypt at the
// highest stored cost. So the duration does not show whether the account was moved in, is one of ours or does not
// exist.

import { bcryptCost, isPassword, NOBODYS_HASH } from './password.ts';
import type { UserStore } from './user.ts';

export type ComparePassword = (password: string, stored: string) => Promise<boolean>;

interface Deps {
  users: Pick<UserStore, 'listBcryptHashes'>;
  /** Tells whether the password matches the first hash. The others are also compared, only to take up time. */
  compareBcrypt: (password: string, hashes: string[]) => Promise<boolean>;
  compareOwn?: ComparePassword;
}

export function makeComparePassword({
  users,
  compareBcrypt,
  compareOwn = isPassword,
}: Deps): ComparePassword {
  return async function comparePassword(password, stored) {
    const cost = bcryptCost(stored);
    const costs = (await users.listBcryptHashes()).flatMap((hash) => bcryptCost(hash) ?? []);
    const highest = Math.max(cost ?? 0, ...costs);
    if (highest === 0) return compareOwn(password, stored);
    const hashes = cost === undefined ? [decoy(highest)] : [stored, ...fillUp(cost, highest)];
    const [isBcryptRight, isOwnRight] = await Promise.all([
      compareBcrypt(password, hashes),
      compareOwn(password, cost === undefined ? stored : NOBODYS_HASH),
    ]);
    return cost === undefined ? isOwnRight : isBcryptRight;
  };
}

/**
 * Decoys that, together with a hash of cost `from`, take as long to check as one hash of cost `to`. A cost that is
 * higher by one means twice the work.
 */
function fillUp(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => decoy(from + index));
}

/** A hash that no password matches. It takes as long to check as any other hash of this cost. */
function decoy(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;
}
