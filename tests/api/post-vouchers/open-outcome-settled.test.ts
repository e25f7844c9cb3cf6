// POST /vouchers.php with an unknown outcome: the open intent is settled later. A voucher that the controller created
// is recorded like any other; an intent without a voucher is deleted, but never too early.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { REQUEST_DEADLINE_MS } from '../../../src/platform/time/deadline.ts';
import { refusingInserts } from '../../support/disturb-records.ts';
import { makeFolder } from '../../support/run-gastpass.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { FORGOTTEN_AFTER_MS, settle } from '../support/post-vouchers-settle.ts';
import { leaving, tracesOf, upstreamVouchers } from '../support/post-vouchers-traces.ts';

const SETTLED = { vouchers: 1, intents: -1, notifications: 1, auditEntries: 1 };

const { folder: dataDir, remove } = makeFolder();
let service: TestService;
before(async () => {
  service = await startTestService({ dataDir, webhook: true, jobs: false });
});
after(async () => {
  await service.stop();
  remove();
});

const create = (siteId: number, name: string) =>
  service.call('POST', 'vouchers.php', { body: { site_id: siteId, name } });

/** The controller creates a voucher, but recording it fails: the intent stays open. */
async function breakOff(name: string): Promise<void> {
  const reply = await refusingInserts(service, { table: 'vouchers', text: 'gone' }, () =>
    leaving(service, { intents: 1, upstream: 1 }, () => create(1, name)),
  );
  assert.equal(reply.status, 500);
}

async function newestInList() {
  const list = await service.call('GET', 'vouchers.php?site_id=1');
  return list.json.vouchers[0] ?? {};
}

test('an intent that the controller never fulfilled is deleted, but only after the grace period', async () => {
  const siteId = await service.addSite('fail:time-out', 'Langsam');
  const reply = await leaving(service, { intents: 1 }, () => create(siteId, 'Nie'));
  assert.equal(reply.status, 500);

  for (const waitMs of [0, REQUEST_DEADLINE_MS, FORGOTTEN_AFTER_MS - REQUEST_DEADLINE_MS - 1]) {
    service.clock.advance(waitMs);
    await leaving(service, {}, () => settle(service));
  }
  service.clock.advance(1);
  await leaving(service, { intents: -1 }, () => settle(service));
  const list = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  assert.deepEqual(list.json.vouchers, []);
});

test('an order is followed through the log by its request id, from the failure to the settling', async () => {
  const siteId = await service.addSite('fail:time-out', 'Langsam');
  const { headers } = await create(siteId, 'Zimmer 12');
  const requestId = headers.get('x-request-id');
  service.clock.advance(FORGOTTEN_AFTER_MS);
  await settle(service);
  const lines = service.logLines.filter((line) => line.requestId === requestId);
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['a voucher may have been created, the outcome is unknown', 'answered', 'settled an open intent'],
  );
  const [failure, , settling] = lines;
  for (const line of [failure, settling]) {
    assert.equal(line?.siteId, siteId);
    assert.match(String(line?.name), /Zimmer 12$/);
    assert.match(String(line?.by), /^API: /);
  }
  assert.equal(settling?.outcome, 'forgotten');
  const { text } = await service.call('GET', '/metrics', { key: null });
  assert.match(
    text,
    new RegExp(`^gastpass_voucher_failures_total\\{site="${siteId}",reason="\\w[\\w-]*"\\} 1$`, 'm'),
  );
});

test('an order that failed without a trace says so, and one that worked says for whom', async () => {
  const siteId = await service.addSite('fail:refuse', 'Stur');
  const refused = await create(siteId, 'Zimmer 13');
  const made = await create(1, 'Zimmer 14');
  const storyOf = ({ headers }: { headers: Headers }) =>
    service.logLines.find(({ requestId, name }) => requestId === headers.get('x-request-id') && name);
  assert.equal(storyOf(refused)?.msg, 'no voucher created');
  assert.deepEqual(
    [storyOf(made)?.msg, storyOf(made)?.name, storyOf(made)?.siteId],
    ['voucher created', 'Zimmer 14', 1],
  );
});

test('a voucher that exists although its request failed is recorded, listed and announced once', async () => {
  await breakOff('Nachgetragen');
  const orderedAt = new Date(service.clock.nowMs()).toISOString().slice(0, 19);
  await leaving(service, {}, () => settle(service));

  service.clock.advance(REQUEST_DEADLINE_MS);
  await leaving(service, SETTLED, () => settle(service));
  const listed = await newestInList();
  assert.match(listed.voucher_name, /_Nachgetragen$/);
  assert.equal(listed.voucher_code, upstreamVouchers(service).at(-1)?.code);
  assert.equal(listed.created_at.slice(0, 19), orderedAt);
  const [row] = service.rows('select source, voucher_count from outbox order by id desc limit 1');
  assert.deepEqual({ ...row }, { source: 'API: Test', voucher_count: 1 });
  const [entry] = service.rows('select actor, actor_id from audit order by id desc limit 1');
  const keyId = (await service.beside.keys.list()).find(({ name }) => name === 'Test')?.id;
  assert.deepEqual({ ...entry }, { actor: 'API: Test', actor_id: keyId });

  service.clock.advance(FORGOTTEN_AFTER_MS);
  await leaving(service, {}, () => settle(service));
});

test('settling does not claim the voucher of another equal order', async () => {
  await breakOff('Zwilling');
  const other = await create(1, 'Zwilling');
  assert.equal(other.status, 201);
  service.clock.advance(REQUEST_DEADLINE_MS);
  await leaving(service, SETTLED, () => settle(service));
  const codes = service
    .rows("select code from vouchers where name like '%_Zwilling'")
    .map(({ code }) => code)
    .sort();
  const upstream = upstreamVouchers(service).filter(({ name }) => String(name).endsWith('_Zwilling'));
  assert.deepEqual(codes, upstream.map(({ code }) => code).sort());
});

test('a restarted service settles the intents that the previous process left open', async () => {
  await breakOff('Neustart');
  const { intents, vouchers } = tracesOf(service);
  await service.stop();
  service.clock.advance(REQUEST_DEADLINE_MS);
  service = await startTestService({ dataDir, clock: service.clock });
  await until(() => tracesOf(service).intents !== intents);
  assert.equal(tracesOf(service).vouchers, vouchers + 1);
  assert.match((await newestInList()).voucher_name, /_Neustart$/);
});
