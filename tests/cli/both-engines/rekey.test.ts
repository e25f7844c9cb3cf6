// Tests `gastpass rekey` for a configured secret: the documented steps with several instances, kills, wrong secrets,
// and what doctor says about them.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openInstallation } from '../../../src/app/installation.ts';
import type { WebhookId } from '../../../src/kernel/ids.ts';
import type { Installation } from '../../../src/kernel/installation.ts';
import { renewSealedValues } from '../../../src/kernel/rekey/rekey-store.ts';
import { openStorage } from '../../../src/platform/database/open-storage.ts';
import { makeSeal } from '../../../src/platform/secrets/seal.ts';
import { TESTER } from '../../support/actors.ts';
import { holdWriteLock } from '../../support/disturb-records.ts';
import { engine, openRecords } from '../../support/engine.ts';
import { DATABASE_STEPS } from '../../support/kill-at.ts';
import { makeOlder } from '../../support/older-seals.ts';
import { makeFolder, runGastpass } from '../../support/run-gastpass.ts';
import { assertAllReadable, fillSealedColumns, killedAt } from '../../support/sealed-installation.ts';
import { tables } from '../../support/tables.ts';
import { configOf, startTestService } from '../../support/test-service.ts';

const AUDIT = { actor: TESTER, atMs: 1 };
const { folder: dataDir, remove } = makeFolder();
/** The secret of the database, and the next one. */
let [secret, next] = ['the first secret of the test of rekey', 'the second secret of the test of rekey'];
const only = (one: string) => ({ GASTPASS_SECRET: one });
const both = () => ({ GASTPASS_SECRET: next, GASTPASS_SECRET_PREVIOUS: secret });
const change = () => {
  [secret, next] = [next, secret];
};

const rekey = (environment: Record<string, string>) => runGastpass(['rekey'], { dataDir, environment });
const doctor = async (environment: Record<string, string>) =>
  (await runGastpass(['doctor'], { dataDir, environment })).stdout;

before(async () => fillSealedColumns(await configOf(dataDir, only(secret))));
after(remove);

test('a secret that fits and bound values need no rekey', async () => {
  const { code, stdout } = await rekey(only(secret));
  assert.deepEqual(
    [code, stdout],
    [0, 'Nothing to do: all values are sealed with GASTPASS_SECRET already.\n'],
  );
});

test('a wrong previous secret is refused, and nothing changes', async () => {
  const { code, stdout, stderr } = await rekey({
    GASTPASS_SECRET: next,
    GASTPASS_SECRET_PREVIOUS: 'c'.repeat(40),
  });
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^gastpass: neither GASTPASS_SECRET nor GASTPASS_SECRET_PREVIOUS fits this database/);
  const missing = await rekey(only(next));
  assert.deepEqual([missing.code, /the secret does not fit/.test(missing.stderr)], [2, true]);
  await assertAllReadable(await configOf(dataDir, only(secret)));
});

test('with the documented steps, every instance reads what every other instance has written', async () => {
  const open = async (environment: Record<string, string>) =>
    openInstallation(await configOf(dataDir, environment));
  const ids: WebhookId[] = [];
  async function assertTogether(...instances: Installation[]): Promise<void> {
    for (const { webhooks } of instances) {
      const url = `https://${ids.length}.example/`;
      ids.push(await webhooks.add({ url, format: 'chat', platform: null, secrets: null }, AUDIT));
    }
    for (const { webhooks, sites } of instances) {
      for (const [index, id] of ids.entries())
        assert.equal((await webhooks.find(id))?.url, `https://${index}.example/`);
      assert.equal((await sites.list()).length, 1);
    }
    for (const { formSeal: from } of instances)
      for (const { formSeal: to } of instances)
        assert.equal(to.open(from.seal('a text of a form')), 'a text of a form');
  }

  const [first, second] = [await open(only(secret)), await open(only(secret))];
  await first.close();
  // Step 1: the instances get both secrets, one after the other.
  const firstWithBoth = await open(both());
  await assertTogether(firstWithBoth, second);
  await second.close();
  const secondWithBoth = await open(both());
  await assertTogether(firstWithBoth, secondWithBoth);
  assert.match(
    await doctor(both()),
    /^warning {2}Installation secret: \d+ values are still encrypted with the previous secret\. .*: gastpass rekey$/m,
  );
  // Step 2.
  const { code, stdout } = await rekey(both());
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^\d+ values were sealed anew\.\nNow remove GASTPASS_SECRET_PREVIOUS from every instance\.\n$/,
  );
  await assertTogether(firstWithBoth, secondWithBoth);
  assert.match(
    await doctor(both()),
    /^warning {2}.* GASTPASS_SECRET_PREVIOUS is set but no longer needed\. Remove/m,
  );
  // Step 3: the instances lose the old secret, one after the other.
  await firstWithBoth.close();
  const firstAfter = await open(only(next));
  await assertTogether(firstAfter, secondWithBoth);
  await secondWithBoth.close();
  for (const id of ids) await firstAfter.webhooks.remove(id, AUDIT);
  await firstAfter.close();
  assert.doesNotMatch(await doctor(only(next)), /previous|Encrypted/i);
  change();
});

for (const step of DATABASE_STEPS)
  test(`a rekey that was killed ${step} has changed all values or none`, async () => {
    const killed = await runGastpass(['rekey'], { dataDir, ...killedAt(step, both()) });
    assert.deepEqual([killed.signal, killed.stdout], ['SIGKILL', '']);
    await assertAllReadable(await configOf(dataDir, both()));
    if (step === 'after commit') change();
    await assertAllReadable(await configOf(dataDir, only(secret)));
  });

test('values in the format of older releases are bound by rekey, without another secret', async () => {
  await makeOlder(await configOf(dataDir, only(secret)));
  assert.match(
    await doctor(only(secret)),
    /^warning {2}Encrypted values: 7 values are from an older release and less well .*: gastpass rekey$/m,
  );
  await assertAllReadable(await configOf(dataDir, only(secret)));

  // On PostgreSQL, instances of an older release may run beside this service.
  const service = await startTestService({ dataDir, environment: only(secret) });
  const added = { url: 'https://b.example', format: 'chat' as const, platform: null, secrets: null };
  const id = await service.beside.webhooks.add(added, AUDIT);
  const [row] = service.rows('select sealed_url from webhooks where id = ?', id);
  assert.match(String(row?.sealed_url), engine === 'sqlite' ? /^v2\./ : /^v1\./);
  await service.beside.webhooks.remove(id, AUDIT);
  await service.stop();

  const left = engine === 'sqlite' ? 6 : 7;
  assert.equal((await rekey(only(secret))).stdout, `${left} values were sealed anew.\n`);
  assert.doesNotMatch(await doctor(only(secret)), /Encrypted values/);
  await assertAllReadable(await configOf(dataDir, only(secret)));
});

if (engine === 'postgres')
  test('a locked database is reported, and nothing changes', async () => {
    const records = openRecords(dataDir);
    const { release } = await holdWriteLock(records);
    const environment = { ...both(), DATABASE_STATEMENT_TIMEOUT_MS: '100' };
    const { code, stderr } = await runGastpass(['rekey'], { dataDir, environment });
    release();
    assert.deepEqual([code, stderr !== ''], [1, true]);
    await assertAllReadable(await configOf(dataDir, only(secret)));
  });

const WEAK = 'changeme'.repeat(5);
const REFUSAL =
  'gastpass: the new GASTPASS_SECRET is a placeholder or easy to guess: set it to the output of openssl rand -hex 32\n';

test('a weak secret is refused for a new installation, which can then be made with another one', async () => {
  const { folder, remove: removeFolder } = makeFolder();
  const migrate = (one: string) => runGastpass(['migrate'], { dataDir: folder, environment: only(one) });
  const { code, stderr } = await migrate(WEAK);
  assert.deepEqual([code, stderr], [2, REFUSAL]);
  assert.ok(!existsSync(join(folder, 'gastpass.sqlite')));
  assert.equal((await migrate(secret)).code, 0);
  removeFolder();
});

test('a weak secret is refused as the next one; one that is in use works, with warnings', async () => {
  const next = { GASTPASS_SECRET: WEAK, GASTPASS_SECRET_PREVIOUS: secret };
  const { code, stderr } = await rekey(next);
  assert.deepEqual([code, stderr], [2, REFUSAL]);
  await assertAllReadable(await configOf(dataDir, only(secret)));

  const { database } = await openStorage(await configOf(dataDir, only(secret)));
  await renewSealedValues(database, makeSeal(WEAK, { previous: secret }), { tables, audit: AUDIT });
  await database.close();
  const service = await startTestService({ dataDir, environment: only(WEAK) });
  const warned = service.logLines.filter(({ setting }) => setting !== undefined);
  await service.stop();
  assert.deepEqual(
    warned.map(({ setting, msg }) => [setting, msg]),
    [['GASTPASS_SECRET', 'this secret is a placeholder or easy to guess: change it']],
  );
  const found = await doctor({ GASTPASS_SECRET: WEAK, METRICS_TOKEN: 'your-metrics-token' });
  assert.match(
    found,
    /^warning {2}Setting GASTPASS_SECRET: This value is a placeholder or easy to guess\. Change the secret/m,
  );
  assert.match(
    found,
    /^warning {2}Setting METRICS_TOKEN: .* or easy to guess\. Set .*: openssl rand -hex 32$/m,
  );
  assert.equal((await rekey(only(WEAK))).code, 0);
  assert.equal((await rekey({ GASTPASS_SECRET: secret, GASTPASS_SECRET_PREVIOUS: WEAK })).code, 0);
  await assertAllReadable(await configOf(dataDir, only(secret)));
});
