// Tests that a backup with a passphrase cannot be changed, not even by somebody who also corrects its checksum.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { backUpToFile } from '../../src/platform/backup/create-backup.ts';
import { restoreBackup } from '../../src/platform/backup/restore-backup.ts';
import { wrapSecret } from '../../src/platform/backup/wrapped-secret.ts';
import { openStorage, type StorageLocation } from '../../src/platform/database/open-storage.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { tables } from '../support/tables.ts';

const PASSPHRASE = 'correct horse battery';
const SECRET = 'the secret of the installation, long enough';
const { folder, remove } = makeFolder();
let names = 0;
let backup: string;

const newName = () => join(folder, String(++names));
const newPlace = (): StorageLocation => ({ dataDir: newName(), secret: SECRET });
const restore = (place: StorageLocation, file: string, passphrase?: string) =>
  restoreBackup(place, { declared: tables, file, passphrase, onProgress: () => {} });

before(async () => {
  const source = newPlace();
  await (await openStorage(source)).database.close();
  backup = newName();
  await backUpToFile(source, backup, {
    declared: tables,
    passphrase: PASSPHRASE,
    release: '0.2.0',
    nowMs: 0,
  });
});
after(remove);

/** A copy of the backup whose lines were changed. Its checksum is right again. */
function forged(edit: (lines: string[]) => string[], code?: object): string {
  const lines = gunzipSync(readFileSync(backup)).toString('utf8').trimEnd().split('\n');
  const end = JSON.parse(lines.at(-1) ?? '');
  const kept = edit(lines.slice(0, -1)).map((line) => `${line}\n`);
  const sha256 = hash('sha256', kept.join(''));
  const file = newName();
  writeFileSync(file, gzipSync(`${kept.join('')}${JSON.stringify({ ...end, sha256, ...code })}\n`));
  return file;
}

const withHeader =
  (facts: object) =>
  ([header = '', ...rest]: string[]) => [JSON.stringify({ ...JSON.parse(header), ...facts }), ...rest];
/** One more space: even a change without effect is a change. */
const spaced = (lines: string[]) => lines.map((line) => line.replace('"columns":', '"columns": '));

test('with the passphrase, a forged backup is refused before anything is written', async () => {
  const place = newPlace();
  for (const [file, why] of [
    [forged(spaced), /was changed after it was made: somebody may have forged it/],
    [forged(withHeader({ madeAt: '2026-01-01T00:00:00.000Z' })), /was changed after it was made/],
    [forged(spaced, { hmac: '0'.repeat(64) }), /was changed after it was made/],
    [forged(spaced, { hmac: undefined }), /the authentication code is missing/],
    [forged(withHeader({ formatVersion: 1 }), { hmac: undefined }), /passphrase is not the one/],
    [forged(withHeader({ secret: null }), { hmac: undefined }), /was made without a passphrase/],
  ] as const)
    await assert.rejects(restore(place, file, PASSPHRASE), why);
  assert.equal(existsSync(place.dataDir), false);
});

test('what was restored is authentic only with the passphrase and its code', async () => {
  const { wrapped } = await wrapSecret(SECRET, PASSPHRASE, 1);
  const earlier = forged(withHeader({ formatVersion: 1, secret: wrapped }), { hmac: undefined });
  for (const [file, passphrase, isAuthentic] of [
    [forged((lines) => lines), PASSPHRASE, true],
    [earlier, PASSPHRASE, false],
    [forged(spaced), undefined, false],
  ] as const)
    assert.equal((await restore(newPlace(), file, passphrase)).isAuthentic, isAuthentic);
});
