// Tests that a password check takes the same work for every account, by counting it: the time of a login must not tell
// whether an account exists or was moved in from another tool.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import bcrypt from 'bcryptjs';
import { compareBcrypt } from './bcrypt/compare-bcrypt.ts';
import { makeComparePassword } from './compare-password.ts';
import { bcryptCost, isPassword, makeUnusableHash, NOBODYS_HASH } from './password.ts';

const hashOf = (cost: number) => bcrypt.hashSync('right', cost);
const [CHEAP, DEAR] = [hashOf(4), hashOf(6)];

/** Counts the hashes of each kind, with bcrypt in its smallest unit of work. */
async function workOf(stored: string, movedIn: string[]) {
  const work = { bcrypt: 0, own: 0 };
  const compare = makeComparePassword({
    users: { listBcryptHashes: async () => movedIn },
    compareBcrypt: async (_password, hashes) => {
      for (const hash of hashes) work.bcrypt += 2 ** (bcryptCost(hash) ?? Number.NaN);
      return false;
    },
    compareOwn: async (_password, own) => {
      work.own += Number(own.startsWith('scrypt$15$'));
      return false;
    },
  });
  assert.equal(await compare('wrong', stored), false);
  return work;
}

test('an unknown, an own, an invited and a moved-in account take the same work', async () => {
  const own = `scrypt$15$${'B'.repeat(22)}$${'B'.repeat(43)}$3`;
  for (const stored of [NOBODYS_HASH, own, makeUnusableHash(), CHEAP, DEAR])
    assert.deepEqual(await workOf(stored, [CHEAP, DEAR]), { bcrypt: 2 ** 6, own: 1 }, stored);
});

test('without moved-in accounts, nothing is compared with bcrypt', async () => {
  assert.deepEqual(await workOf(NOBODYS_HASH, []), { bcrypt: 0, own: 1 });
});

test('a password opens its own account only, by the hash that is stored for it', async () => {
  const compare = makeComparePassword({
    users: { listBcryptHashes: async () => [CHEAP, DEAR] },
    compareBcrypt,
    compareOwn: isPassword,
  });
  assert.equal(await compare('right', CHEAP), true);
  assert.equal(await compare('wrong', CHEAP), false);
  assert.equal(await compare('right', NOBODYS_HASH), false);
});
