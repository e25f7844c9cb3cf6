// Tests the real commands `backup`, `verify` and `restore`: a service keeps running during the backup, and the restored
// installation works.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openRecords } from '../../support/engine.ts';
import { makeDatabase, makeFolder, type RunOptions, runGastpass } from '../../support/run-gastpass.ts';

const { folder, remove } = makeFolder();
const { folder: dataDir, remove: removeData } = makeFolder();
const { folder: target, remove: removeTarget } = makeFolder();
const PASSPHRASE = 'correct horse battery';
const passphraseFile = join(folder, 'passphrase');
const file = join(folder, 'backup');

before(async () => {
  writeFileSync(passphraseFile, `${PASSPHRASE}\n`);
  await makeDatabase(dataDir);
  await gastpass(['keys', 'create', '--name', 'Theke', '--scope', 'read']);
});
after(() => {
  for (const clear of [remove, removeData, removeTarget]) clear();
});

const gastpass = (words: string[], options: RunOptions = {}) => runGastpass(words, { dataDir, ...options });

test('a backup without passphrase is refused, and the message says what to do', async () => {
  const { code, stderr } = await gastpass(['backup', file]);
  assert.equal(code, 2);
  assert.match(stderr, /give --passphrase-file FILE, or leave the secret out with --without-secret/);
  const short = await gastpass(['backup', file], { environment: { BACKUP_PASSPHRASE: 'short' } });
  assert.match(short.stderr, /BACKUP_PASSPHRASE: expected at least 12 characters/);
  assert.deepEqual(readdirSync(folder), ['passphrase']);
});

test('an installation is backed up, verified and restored', async () => {
  const made = await gastpass(['backup', file, '--passphrase-file', passphraseFile]);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /^Backed up \d+ rows into .*backup \([\d,]+ bytes\)\.\n$/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const again = await gastpass(['backup', file, '--without-secret']);
  assert.deepEqual([again.code, /exists already/.test(again.stderr)], [2, true]);

  const { stdout } = await gastpass(['verify', file, '--passphrase-file', passphraseFile]);
  assert.match(
    stdout,
    /is complete: \d+ rows, the checksum is right\.[\s\S]*api_keys: 1\n[\s\S]*the secret opens 1 sealed value\.\nThe passphrase proves that nobody has changed it\.\n$/,
  );

  const unproven = await gastpass(['verify', file]);
  assert.match(
    unproven.stdout,
    /^Warning: nothing proves that this backup is unchanged, because no passphrase was given: anyone who could change/m,
  );

  const used = await gastpass(['restore', file, '--passphrase-file', passphraseFile]);
  assert.equal(used.code, 2);
  assert.match(used.stderr, /installation/);
  // PostgreSQL needs its secret in the settings, and gets it from the data folder.
  const environment = { GASTPASS_SECRET: '', GASTPASS_SECRET_FILE: '' };
  const restored = await gastpass(['restore', file], {
    dataDir: target,
    environment: { ...environment, BACKUP_PASSPHRASE: PASSPHRASE },
  });
  assert.equal(restored.code, 0, restored.stderr);
  assert.doesNotMatch(restored.stderr, /warning/);
  assert.match(
    restored.stdout,
    /^Restored \d+ rows of 20.*\.\nThe secret is in .*secret.*\nNow run gastpass verify/,
  );
  const secret = { GASTPASS_SECRET: '', GASTPASS_SECRET_FILE: join(target, 'secret') };
  const keys = await gastpass(['keys', 'list'], { dataDir: target, environment: secret });
  assert.match(keys.stdout, /Theke/);
});

test('the vouchers of simulated sites are not lost by a restore', async () => {
  const { folder: demo, remove: removeDemo } = makeFolder();
  const { folder: rehearsed, remove: removeRehearsed } = makeFolder();
  try {
    await makeDatabase(demo);
    for (const words of [
      ['sites', 'add', '--name', 'Demo', '--controller', 'simulator'],
      ['vouchers', 'create', '--site', '1', '--name', 'Zimmer 1', '--count', '2'],
      ['backup', join(demo, 'backup'), '--passphrase-file', passphraseFile],
    ]) {
      const { code, stderr } = await gastpass(words, { dataDir: demo });
      assert.equal(code, 0, stderr);
    }
    const of = { dataDir: rehearsed, environment: { GASTPASS_SECRET: '', GASTPASS_SECRET_FILE: '' } };
    const restored = await gastpass(
      ['restore', join(demo, 'backup'), '--passphrase-file', passphraseFile],
      of,
    );
    assert.equal(restored.code, 0, restored.stderr);
    of.environment.GASTPASS_SECRET_FILE = join(rehearsed, 'secret');
    const { stdout } = await gastpass(['sync', '--json'], of);
    assert.deepEqual(
      JSON.parse(stdout).map(({ listed }: { listed: number }) => listed),
      [2],
    );
  } finally {
    removeDemo();
    removeRehearsed();
  }
});

test('without a passphrase, a restore says that nothing proves the backup to be unchanged', async () => {
  const { folder: other, remove: removeOther } = makeFolder();
  const plain = join(folder, 'plain');
  await gastpass(['backup', plain, '--without-secret']);
  const environment = existsSync(join(dataDir, 'secret'))
    ? { GASTPASS_SECRET_FILE: join(dataDir, 'secret') }
    : {};
  const { code, stderr } = await gastpass(['restore', plain], { dataDir: other, environment });
  assert.equal(code, 0);
  assert.match(
    stderr,
    /^gastpass: warning: nothing proves that this backup is unchanged, because it was made without a passphrase: anyone who could change the file could have changed accounts and keys in it; look at users and API keys before you start the service$/m,
  );
  removeOther();
});

test('a damaged backup fails with one line, and wrong words with another exit code', async () => {
  const damaged = join(folder, 'damaged');
  writeFileSync(damaged, readFileSync(file).subarray(0, -20));
  const { code, stderr } = await gastpass(['verify', damaged]);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^gastpass: .*damaged is damaged or incomplete \(unexpected end of file\): use another backup\n$/,
  );
  assert.equal((await gastpass(['verify', file, 'more'])).code, 2);
  assert.equal((await gastpass(['restore'])).code, 2);
  assert.equal((await gastpass(['backup', join(folder, 'no', 'backup'), '--without-secret'])).code, 2);
  assert.equal(existsSync(join(folder, 'no')), false);
});

test('the data is verified: database, sealed values, and the records of each site', async () => {
  await gastpass(['sites', 'add', '--name', 'Haus A', '--controller', 'simulator']);
  const away = ['--controller', 'unifi', '--url', 'https://127.0.0.1:1', '--api-key', 'k', '--insecure'];
  await gastpass(['sites', 'add', '--name', 'Kaputt', '--untested', ...away]);
  const records = openRecords(dataDir);
  const voucher = (id: string, usedS: number | null) =>
    records.change(
      `insert into vouchers (site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
        controller_voucher_id, used_count, created_at_s, first_used_at_s) values (1, ?, 'x', 2, 60, 0, 0, 0, ?, 1, 1, ?)`,
      id,
      id,
      usedS,
    );
  voucher('11', 5);
  voucher('12', null);
  const { code, stdout, stderr } = await gastpass(['verify']);
  records.close();
  assert.equal(code, 1);
  assert.match(
    stdout,
    /^ok {7}Database: \d+ rows read, no defect found\nok {7}Encrypted values: The secret opens all of them \(2\)\n/,
  );
  // The expired voucher is not expected on the controller.
  assert.match(
    stdout,
    /^fault {4}Site 1 \(Haus A\): 1 voucher is valid in the records but not on the controller \(id 2\)\. The controller has no vouchers at all\. .*: gastpass sites test 1$/m,
  );
  assert.match(stdout, /^fault {4}Site 2 \(Kaputt\): The vouchers could not be compared: /m);
  assert.match(stderr, /2 problems found/);
});
