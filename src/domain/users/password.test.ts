// Tests passwords: hashes with their own salt and cost, verification, and readable generated passwords.

import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { before, test } from 'node:test';
import { hashPassword, isPassword, MIN_PASSWORD_LENGTH, makePassword } from './password.ts';
import { isEmail } from './user.ts';

const PASSWORD = 'Grüße aus Zimmer 12';
let stored: string;
before(async () => {
  stored = await hashPassword(PASSWORD);
});

test('the right password is known again, a wrong one is not', async () => {
  assert.equal(await isPassword(PASSWORD, stored), true);
  for (const wrong of ['', PASSWORD.toLowerCase()])
    assert.equal(await isPassword(wrong, stored), false, wrong);
});

test('it does not matter how a keyboard composes its umlauts', async () => {
  assert.notEqual(PASSWORD.normalize('NFD'), PASSWORD);
  assert.equal(await isPassword(PASSWORD.normalize('NFD'), stored), true);
});

test('the hash is scrypt with cost 2^17 and a salt of its own, and carries both', async () => {
  const [scheme, log2Cost, salt = '', hash = ''] = stored.split('$');
  assert.deepEqual([scheme, log2Cost], ['scrypt', '17']);
  const bytes = { salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
  assert.deepEqual([bytes.salt.length, bytes.hash.length], [16, 32]);
  const options = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
  assert.deepEqual(scryptSync(PASSWORD, bytes.salt, 32, options), bytes.hash);
  assert.notEqual(await hashPassword(PASSWORD), stored);
});

test('a hash made with another cost is still known', async () => {
  const salt = Buffer.alloc(16, 7);
  const hash = scryptSync('older password', salt, 32, { N: 2 ** 14, r: 8, p: 1 });
  const older = ['scrypt', 14, salt.toString('base64url'), hash.toString('base64url')].join('$');
  assert.equal(await isPassword('older password', older), true);
  assert.equal(await isPassword('other password', older), false);
});

test('what is no hash of ours lets nobody in', async () => {
  for (const text of ['', '-', 'plain', 'bcrypt$10$a$b', 'scrypt$', 'scrypt$14$$', 'scrypt$14$AAAA$'])
    assert.equal(await isPassword(text, text), false, text);
});

test('a made password is four groups of five characters that are not mistaken for one another', () => {
  const made = Array.from({ length: 200 }, makePassword);
  for (const password of made) {
    assert.match(password, /^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    assert.doesNotMatch(password, /[ilo01]/);
    assert.ok(password.length >= MIN_PASSWORD_LENGTH);
  }
  assert.equal(new Set(made).size, made.length);
});

test('an e-mail address has one @ with something on both sides, and an end', () => {
  for (const good of ['ada@example.org', 'admin@localhost', 'a.b+c@d.example'])
    assert.equal(isEmail(good), true, good);
  for (const bad of ['', 'ada', '@example.org', 'ada@', 'a b@c', 'a@b@c', `${'a'.repeat(250)}@b.cd`])
    assert.equal(isEmail(bad), false, bad);
});
