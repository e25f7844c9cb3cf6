// Tests a service that is started with a clock 800 days ahead: nothing is deleted by age until an administrator says
// that the clock is right. Then the clock is set back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { WEBHOOK_CHANNEL } from '../../../src/features/webhooks/delivery.ts';
import { makeCleanUpTurn } from '../../../src/kernel/vouchers/turns/clean-up.ts';
import { makeRetentionTurn } from '../../../src/kernel/vouchers/turns/retention.ts';
import { TESTER } from '../../support/actors.ts';
import { makeFakeClock } from '../../support/fake-clock.ts';
import { makeFolder } from '../../support/run-gastpass.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { unobserved } from '../../support/unobserved.ts';
import { until } from '../../support/until.ts';
import { addUser, loggedIn } from '../web-client.ts';

const DAY_MS = 24 * 60 * 60_000;
const KEPT_BY_AGE = ['vouchers', 'audit', 'web_sessions', 'idempotent_answers', 'sign_in_failures'] as const;

const { folder: dataDir, remove } = makeFolder();
const clock = makeFakeClock();
let service: TestService;
let before800Days: Record<string, number>;

before(async () => {
  service = await startTestService({ dataDir, clock });
  await service.beside.settings.change(
    { keepVouchersDays: 30, keepAuditDays: 30, shortensIps: true },
    { actor: TESTER, atMs: clock.nowMs() },
  );
  await addUser(service, 'admin@example.org', 'admin');
  const admin = await loggedIn(service, 'admin@example.org');
  await admin.post('/vouchers', { site: '1', name: 'Gast' });
  await loggedIn(service, 'nobody@example.org').catch(() => {});
  const order = { body: { site_id: 1, name: 'Zimmer 12' }, headers: { 'idempotency-key': 'bk-1' } };
  assert.equal((await service.call('POST', 'vouchers.php', order)).status, 201);
  service.change('update vouchers set used_count = 1, first_used_at_s = ?', Math.floor(clock.nowMs() / 1000));
  before800Days = count();
  await service.stop();

  clock.advance(800 * DAY_MS);
  service = await startTestService({ dataDir, clock });
});
after(async () => {
  await service.stop();
  remove();
});

function count(): Record<string, number> {
  return Object.fromEntries(
    KEPT_BY_AGE.map((table) => [
      table,
      Number(service.rows(`select count(*) as count from ${table}`)[0]?.count),
    ]),
  );
}

async function deleteByAge(): Promise<void> {
  await makeCleanUpTurn(service.beside, [WEBHOOK_CHANNEL], [])();
  await makeRetentionTurn({ ...service.beside, ...unobserved })(new AbortController().signal);
}

const isDoubted = async () =>
  /^gastpass_clock_doubted (\d)$/m.exec((await service.call('GET', '/metrics')).text)?.[1] === '1';

test('nothing is deleted, and the log, the metrics, the overview and the health page say so', async () => {
  const message =
    'the clock is more than a day ahead of the last heartbeat: nothing is deleted by age until it is confirmed';
  await until(() => service.logLines.some(({ msg, level }) => msg === message && level === 'warn'));
  await deleteByAge();
  for (const [table, rows] of Object.entries(count()))
    assert.ok(
      rows >= (before800Days[table] ?? 0) && rows > 0,
      `${table}: ${rows} of ${before800Days[table]} are left`,
    );
  assert.ok(await isDoubted());

  const admin = await loggedIn(service, 'admin@example.org');
  assert.match((await admin.get('/overview')).text, /Die Uhr des Servers geht vielleicht falsch/);
  const health = (await admin.get('/health')).text;
  assert.match(health, /Die Uhr des Servers zeigt .* 24 Stunden gelaufen ist \(noch .+\)/);
  assert.match(health, /<a class="button mend" href="\/health\/clock">Uhr bestätigen/);
});

test('an administrator who confirms the clock lets old records be deleted', async () => {
  const admin = await loggedIn(service, 'admin@example.org');
  const asked = await admin.get('/health/clock');
  assert.match(asked.text, /Stimmt die Uhr des Servers\?.*25\.03\.2028/s);
  assert.equal((await admin.post('/health/clock', {})).location, '/health');
  assert.ok(!(await isDoubted()));
  assert.match((await admin.get('/audit')).text, /hat die Uhr des Servers bestätigt: 2028-03-25T/);
  await deleteByAge();
  assert.equal(count().vouchers, 0);
  assert.equal(count().idempotent_answers, 0);
});

test('a clock that is set back by a day is a finding and a figure, whatever is recorded since', async () => {
  assert.equal((await service.call('POST', 'vouchers.php', { body: { site_id: 1, name: 'x' } })).status, 201);
  clock.advance(-DAY_MS);
  const admin = await loggedIn(service, 'admin@example.org');
  const { text } = await service.call('GET', '/metrics');
  assert.match(text, /^gastpass_newest_record_ahead_seconds 86400$/m);
  assert.match((await admin.get('/health')).text, /Die Uhr wurde zurückgestellt\./);
});
