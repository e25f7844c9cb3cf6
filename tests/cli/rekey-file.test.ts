// Tests `gastpass rekey` for a secret in the data folder: killed at every step, beside a running service,
// twice at the same time, and with a value that cannot be opened.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import { lockForRekey } from '../../src/platform/database/service-lock.ts';
import { TESTER } from '../support/actors.ts';
import { openRecords } from '../support/engine.ts';
import { DATABASE_STEPS, FILE_STEPS } from '../support/kill-at.ts';
import { makeFolder, runGastpass } from '../support/run-gastpass.ts';
import { assertAllReadable, fillSealedColumns, killedAt } from '../support/sealed-installation.ts';
import { configOf, startTestService } from '../support/test-service.ts';

const { folder: dataDir, remove } = makeFolder();
const file = join(dataDir, 'secret');
const draft = join(dataDir, 'secret.new');
const readSecret = () => readFileSync(file, 'utf8');

before(async () => fillSealedColumns(await configOf(dataDir)));
after(remove);

test('rekey makes a new secret, and every value is sealed with it', async () => {
  const old = readSecret();
  const { code, stdout, stderr } = await runGastpass(['rekey'], { dataDir });
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^7 values were sealed anew\.\nThe new secret is in .*secret\. Back up now:/);
  assert.notEqual(readSecret(), old);
  assert.equal(Buffer.from(readSecret().trim(), 'base64url').length, 32);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(existsSync(draft), false);
  await assertAllReadable(await configOf(dataDir));
  await assert.rejects(
    assertAllReadable(await configOf(dataDir, { GASTPASS_SECRET: old.trim() })),
    /the secret does not fit this database/,
  );
  const records = openRecords(dataDir);
  assert.partialDeepStrictEqual(records.rows('select action, subject from audit order by id desc limit 1'), [
    { action: 'installation.rekeyed', subject: '7 sealed values' },
  ]);
  records.close();
});

for (const step of [...FILE_STEPS, ...DATABASE_STEPS])
  test(`a rekey that was killed ${step} leaves an installation that starts, and can be repeated`, async () => {
    const old = readSecret();
    const killed = await runGastpass(['rekey'], { dataDir, ...killedAt(step) });
    assert.deepEqual([killed.signal, killed.stdout], ['SIGKILL', '']);
    const isCommitted = ['after commit', 'before rename', 'after rename'].includes(step);
    assert.equal(readSecret() === old, step !== 'after rename');
    await assertAllReadable(await configOf(dataDir));
    // The first command after the kill has put the secret that the database needs into its place.
    assert.equal(readSecret() !== old, isCommitted);
    const again = await runGastpass(['rekey', '--json'], { dataDir });
    assert.deepEqual([again.code, JSON.parse(again.stdout)], [0, { values: 7 }]);
    await assertAllReadable(await configOf(dataDir));
    assert.equal(existsSync(draft), false);
  });

test('a running service goes on reading and writing sealed values', async (t) => {
  const service = await startTestService({ dataDir });
  t.after(() => service.stop());
  const { webhooks, formSeal } = service.beside;
  const rekeyed = await runGastpass(['rekey'], { dataDir });
  assert.equal(rekeyed.code, 0);
  // Opened by the service, which still holds the old secret.
  const { status, text } = await service.call('GET', '/metrics', { key: null });
  assert.deepEqual([status, /webhook/.test(text)], [200, true]);
  const added = { url: 'https://b.example', format: 'chat' as const, platform: null, secrets: null };
  const id = await webhooks.add(added, { actor: TESTER, atMs: 1 });
  assert.equal((await webhooks.find(id))?.url, added.url);
  const form = formSeal.seal('a text of a form');

  const later = await openInstallation(await configOf(dataDir));
  assert.equal((await later.webhooks.find(id))?.url, added.url);
  assert.equal(later.formSeal.open(form), 'a text of a form');
  await later.webhooks.remove(id, { actor: TESTER, atMs: 1 });
  await later.close();
});

test('a second rekey at the same time is refused, and leaves the draft of the first alone', async () => {
  const release = lockForRekey(dataDir);
  writeFileSync(draft, 'the secret of the first\n');
  const { code, stderr } = await runGastpass(['rekey'], { dataDir });
  assert.deepEqual(
    [code, stderr],
    [1, `gastpass: another gastpass rekey is running on the data folder ${dataDir}\n`],
  );
  await assertAllReadable(await configOf(dataDir));
  assert.equal(readFileSync(draft, 'utf8'), 'the secret of the first\n');
  release();
});

test('a value that cannot be opened is named, and nothing changes', async () => {
  const records = openRecords(dataDir);
  const [{ sealed_url } = {}] = records.rows('select sealed_url from webhooks where id = 1');
  records.change("update webhooks set sealed_url = 'v2.broken' where id = 1");
  const old = readSecret();
  const { code, stderr } = await runGastpass(['rekey'], { dataDir });
  assert.equal(code, 1);
  assert.match(stderr, /^gastpass: webhooks row 1: sealed_url cannot be opened/);
  assert.equal(readSecret(), old);
  const doctor = await runGastpass(['doctor'], { dataDir });
  assert.match(doctor.stdout, /^fault {4}Encrypted values: .*: webhooks row 1: sealed_url cannot be opened/m);
  records.change('update webhooks set sealed_url = ? where id = 1', String(sealed_url));
  records.close();
  await assertAllReadable(await configOf(dataDir));
});
