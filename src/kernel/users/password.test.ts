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

test('the correct password is accepted, and a wrong one is refused', async () => {
  assert.equal(await isPassword(PASSWORD, stored), true);
  for (const wrong of ['', PASSWORD.toLowerCase()])
    assert.equal(await isPassword(wrong, stored), false, wrong);
});

test('a password matches whether its umlauts are composed or decomposed', async () => {
  assert.notEqual(PASSWORD.normalize('NFD'), PASSWORD);
  assert.equal(await isPassword(PASSWORD.normalize('NFD'), stored), true);
});

test('the hash is scrypt with N = 2^15 and p = 3 and its own salt, and contains all of them', async () => {
  const [scheme, log2Cost, salt = '', hash = '', p] = stored.split('$');
  assert.deepEqual([scheme, log2Cost, p], ['scrypt', '15', '3']);
  const bytes = { salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
  assert.deepEqual([bytes.salt.length, bytes.hash.length], [16, 32]);
  const options = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 28 };
  assert.deepEqual(scryptSync(PASSWORD, bytes.salt, 32, options), bytes.hash);
  assert.notEqual(await hashPassword(PASSWORD), stored);
});

test('a hash with another cost is still accepted', async () => {
  const salt = Buffer.alloc(16, 7);
  const hash = scryptSync('older password', salt, 32, { N: 2 ** 14, r: 8, p: 1 });
  const older = ['scrypt', 14, salt.toString('base64url'), hash.toString('base64url')].join('$');
  assert.equal(await isPassword('older password', older), true);
  assert.equal(await isPassword('other password', older), false);
});

test('a text that is not a valid hash matches no password', async () => {
  for (const text of ['', '-', 'plain', 'bcrypt$10$a$b', 'scrypt$', 'scrypt$14$$', 'scrypt$14$AAAA$'])
    assert.equal(await isPassword(text, text), false, text);
});

test('a generated password has four groups of five unambiguous characters', () => {
  const made = Array.from({ length: 200 }, makePassword);
  for (const password of made) {
    assert.match(password, /^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    assert.doesNotMatch(password, /[ilo01]/);
    assert.ok(password.length >= MIN_PASSWORD_LENGTH);
  }
  assert.equal(new Set(made).size, made.length);
});

test('an e-mail address has one @ with text on both sides, and a maximum length', () => {
  for (const good of ['ada@example.org', 'admin@localhost', 'a.b+c@d.example'])
    assert.equal(isEmail(good), true, good);
  for (const bad of ['', 'ada', '@example.org', 'ada@', 'a b@c', 'a@b@c', `${'a'.repeat(250)}@b.cd`])
    assert.equal(isEmail(bad), false, bad);
});
