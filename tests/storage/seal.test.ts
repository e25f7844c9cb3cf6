// Tests the encryption at rest, and the check that the secret fits the database.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { selectSetting } from '../../src/platform/database/installation-queries.ts';
import { openStorage } from '../../src/platform/database/open-storage.ts';
import { makeSeal } from '../../src/platform/secrets/seal.ts';
import { decrypt, deriveKey, encrypt, isBound } from '../../src/platform/secrets/seal-cipher.ts';
import { CHECK_PLACE } from '../../src/platform/secrets/sealed-columns.ts';
import { WrongSecret } from '../../src/platform/secrets/secret-check.ts';
import { makeFolder } from '../support/run-gastpass.ts';

const SECRET = 'a secret of the installation, long enough';

describe('the cipher', () => {
  const key = deriveKey(SECRET);
  const seal = (plain: string) => encrypt(key, plain, 'here');
  const open = (sealed: string) => decrypt(key, sealed, 'here');

  test('a sealed text is opened unchanged', () => {
    for (const text of ['geheim', '', 'ümläute 😀 "quotes"', 'x'.repeat(100_000)])
      assert.equal(open(seal(text)), text);
  });

  test('the sealed text does not contain the plain text and differs each time', () => {
    const sealed = seal('geheim');
    assert.doesNotMatch(Buffer.from(sealed.slice(3), 'base64url').toString('latin1'), /geheim/);
    assert.notEqual(seal('geheim'), sealed);
  });

  test('a sealed text cannot be opened with another secret', () => {
    assert.equal(decrypt(deriveKey(`${SECRET}!`), seal('geheim'), 'here'), undefined);
  });

  test('a bound text cannot be opened in another place, and not as an unbound text', () => {
    const sealed = seal('geheim');
    assert.equal(decrypt(key, sealed, 'there'), undefined);
    assert.equal(open(sealed.replace(/^v2/, 'v1')), undefined);
  });

  test('a text that a release before 0.2 sealed can be opened, and is not bound', () => {
    // Sealed by release 0.1 with this secret.
    const old = 'v1.j00bxoKo218VZx34BGjsmTUsMwYSjRO894uXrqiaV97APw';
    assert.equal(open(old), 'geheim');
    assert.equal(isBound(old), false);
    assert.match(encrypt(key, 'geheim'), /^v1\./);
    assert.equal(open(encrypt(key, 'geheim').replace(/^v1/, 'v2')), undefined);
  });

  test('a sealed text with any byte changed cannot be opened', () => {
    const bytes = Buffer.from(seal('geheim').slice(3), 'base64url');
    for (let place = 0; place < bytes.length; place++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
      assert.equal(open(`v2.${changed.toString('base64url')}`), undefined);
    }
  });

  test('a truncated sealed text cannot be opened', () => {
    const bytes = Buffer.from(seal('geheim').slice(3), 'base64url');
    for (let length = 0; length < bytes.length; length++)
      assert.equal(open(`v2.${bytes.subarray(0, length).toString('base64url')}`), undefined);
  });

  test('a text that was never sealed cannot be opened', () => {
    for (const text of ['', 'v1', 'v1.', 'v2.AAAA', 'v3.AAAA', 'geheim']) assert.equal(open(text), undefined);
  });
});

describe('the secret of a data folder', () => {
  let dataDir: string;
  let remove: () => void;
  beforeEach(() => {
    ({ folder: dataDir, remove } = makeFolder());
  });
  afterEach(() => remove());

  const secretFile = () => join(dataDir, 'secret');
  const reopen = async (secret?: string) => (await openStorage({ dataDir, secret })).database.close();

  test('the secret is created once with 32 random bytes and reused from then on', async () => {
    await reopen();
    const made = readFileSync(secretFile(), 'utf8');
    assert.equal(Buffer.from(made.trim(), 'base64url').length, 32);
    await reopen();
    await reopen(made.trim());
    assert.equal(readFileSync(secretFile(), 'utf8'), made);
  });

  test('a configured secret is used instead, and no secret file is created', async () => {
    await reopen(SECRET);
    assert.equal(existsSync(secretFile()), false);
    await reopen(SECRET);
    await assert.rejects(reopen(`${SECRET}!`), WrongSecret);
    await assert.rejects(reopen(), WrongSecret);
    assert.equal(existsSync(secretFile()), false);
  });

  test('a missing, empty or different secret file is refused and not replaced', async () => {
    await reopen();
    writeFileSync(secretFile(), '\n');
    await assert.rejects(reopen(), WrongSecret);
    writeFileSync(secretFile(), SECRET);
    await assert.rejects(reopen(), WrongSecret);
    rmSync(secretFile());
    await assert.rejects(reopen(), WrongSecret);
    assert.equal(existsSync(secretFile()), false);
  });

  test('the database stores a check value and not the secret', async () => {
    const { database } = await openStorage({ dataDir, secret: SECRET });
    const check = (await selectSetting(database.read, 'secret_check')) ?? '';
    await database.close();
    assert.equal(makeSeal(SECRET).open(check, CHECK_PLACE), 'gastpass');
    assert.equal(readFileSync(join(dataDir, 'gastpass.sqlite')).includes(SECRET), false);
  });
});
