// Starts the real service with a clock that is 800 days ahead, behind, and right again: nothing is deleted by age
// before the clock is confirmed, and then at most the daily limit. Needs Debian's faketime.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openInstallation } from '../../../src/app/installation.ts';
import { prepare } from '../../faults/bookkeeping.ts';
import { TESTER } from '../../support/actors.ts';
import { openRecords, readRecords } from '../../support/engine.ts';
import {
  makeFolder,
  type RunningGastpass,
  type RunOptions,
  runGastpass,
  startGastpass,
} from '../../support/run-gastpass.ts';
import { configOf } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';

const VOUCHERS = 5_000;
const AUDIT_ENTRIES = 1_500;
const DAY_S = 24 * 60 * 60;
const environment = { GASTPASS_DEMO: '0' };
const DOUBTED = 'the clock is more than a day ahead of the last heartbeat';

const { folder: dataDir, remove } = makeFolder();
after(remove);

before(async () => {
  await prepare(dataDir);
  const usedAtS = Math.floor(Date.now() / 1000) - 2 * DAY_S;
  const records = openRecords(dataDir);
  const numbers = (count: number) =>
    `with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${count})`;
  records.change(
    `${numbers(VOUCHERS)} insert into vouchers (site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps,
        quota_mb, used_count, controller_voucher_id, created_at_s, first_used_at_s)
      select 1, number, 'Gast', 1, 480, 0, 0, 0, 1, number, ${usedAtS}, ${usedAtS} from numbers`,
  );
  records.change(
    `${numbers(AUDIT_ENTRIES)} insert into audit (at_ms, actor, action, subject)
      select ${usedAtS}000, 'CLI: test', 'audit.exported', 'entries: 1' from numbers`,
  );
  records.close();
  const installation = await openInstallation(await configOf(dataDir));
  const keeping = { keepVouchersDays: 30, keepAuditDays: 30 };
  await installation.settings.change(keeping, { actor: TESTER, atMs: Date.now() });
  await installation.close();
  // The service writes its heartbeat when it starts.
  await (await startGastpass({ dataDir, environment })).stop();
});

/** The command `faketime` would not pass signals on, so its library is loaded directly. */
function withClock(days: number): RunOptions {
  const [library] = globSync('/usr/lib/*/faketime/libfaketime.so.1');
  assert.ok(library, 'install the Debian package faketime');
  const FAKETIME = `${days < 0 ? '' : '+'}${days}d`;
  return { dataDir, environment: { ...environment, LD_PRELOAD: library, FAKETIME } };
}
const start = (days: number) => startGastpass(withClock(days));
const left = () => Number(readRecords(dataDir, 'select count(*) as count from vouchers')[0]?.count);
const entriesLeft = () =>
  Number(
    readRecords(dataDir, "select count(*) as count from audit where action = 'audit.exported'")[0]?.count,
  );

/** The first turns of all background jobs begin when the service starts. */
async function afterFirstTurns(service: RunningGastpass): Promise<string> {
  await sleep(3_000);
  await service.stop();
  return service.stdout();
}

test('with a clock 800 days ahead nothing is deleted, and the log says so', async () => {
  const service = await start(800);
  await until(() => service.stdout().includes(DOUBTED), { otherwise: 'the doubt was not logged' });
  await afterFirstTurns(service);
  assert.deepEqual([left(), entriesLeft()], [VOUCHERS, AUDIT_ENTRIES]);
});

test('a clock that jumps from start to start deletes nothing', async () => {
  for (const days of [-800, 800, 30, 0, 400]) await afterFirstTurns(await start(days));
  assert.deepEqual([left(), entriesLeft()], [VOUCHERS, AUDIT_ENTRIES]);
});

test('a clock that an administrator confirms deletes the daily limit, logged with counts', async () => {
  // The findings include faults: the service does not run, and PostgreSQL has the right time.
  await runGastpass(['doctor', '--confirm-clock'], { ...withClock(800), node: process.execPath });
  const service = await start(800);
  await until(() => service.stdout().includes('daily limit'), {
    otherwise: 'the daily limit was not reached',
  });
  await service.stop();
  assert.equal(left(), VOUCHERS - 1_000);
  assert.match(service.stdout(), /"level":"warn".*"vouchers":1000,"batches":0,"auditRows":1000/);
});
