// Compares a password with our own hashes, and with the bcrypt hashes of users who were moved in from another tool. While
// there are such hashes, every check takes the same work, whether the account was moved in, is one of ours or does not
// exist: one of our hashes, and bcrypt at the highest stored cost.

import { bcryptCost, isPassword, NOBODYS_HASH } from './password.ts';
import type { UserStore } from './user.ts';

export type ComparePassword = (password: string, stored: string) => Promise<boolean>;

interface Deps {
  users: Pick<UserStore, 'listBcryptHashes'>;
  /** Compares with each of the hashes, and tells whether the password matches the first one. */
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

/** Each further cost doubles the work: together with a hash of cost `from`, these take as long as one of cost `to`. */
function fillUp(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => decoy(from + index));
}

/** Takes as long to check as any hash of this cost. */
function decoy(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;
}
