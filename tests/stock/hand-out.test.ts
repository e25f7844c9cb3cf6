// Tests the stock: where its vouchers are stored, and that each is handed out once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import type { HandOut } from '../../src/features/reserve/stock.ts';
import {
  openSimulatedVouchers,
  type SimulatedVouchers,
} from '../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import { asBatchId, asUserId } from '../../src/kernel/ids.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import { settle } from '../faults/bookkeeping.ts';
import { actorOf, TESTER } from '../support/actors.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser } from '../web/web-client.ts';
import { addScreen, ordersOf, siteId } from './support.ts';

const DEADLINE_MS = 20_000;
const RESERVE = { kind: 'stock', screenId: null } as const;

const { folder: dataDir, remove } = makeFolder();
let service: TestService;
let other: Installation;
let controller: SimulatedVouchers;
let order: ReturnType<typeof ordersOf>;

before(async () => {
  service = await startTestService({ dataDir, jobs: false, webhook: true });
  other = await openInstallation(service.config, service.clock);
  controller = openSimulatedVouchers(dataDir);
  order = ordersOf(service.beside);
});
after(async () => {
  controller.close();
  await other.close();
  await service.stop();
  remove();
});

const MAIL = {
  channel: 'mail',
  recipientId: 1,
  eventId: 'e-1',
  kind: 'voucher',
  payload: {},
  sealedPayload: { to: 'gast@example.org' },
  occurredAtMs: 0,
};
const count = (from: string) => Number(service.rows(`select count(*) as n from ${from}`)[0]?.n);
const traces = () => [count('vouchers'), count('audit'), count('outbox'), count('messages')];
const handOut = (installation: Installation, fields: Partial<HandOut> = {}) =>
  installation.stock.handOut({
    siteId,
    name: 'Müller',
    storedName: '2026-01-15_Müller',
    actor: actorOf('Web: Rita'),
    ...fields,
  });

test('vouchers for the stock leave no trace but the stock itself', async () => {
  const before = traces();
  const version = await service.beside.vouchers.listVersion(siteId);
  const { created, problem } = await order(RESERVE, { count: 3, name: 'Reserve' });
  assert.deepEqual([created.length, problem], [3, undefined]);
  assert.deepEqual(traces(), before);
  assert.equal(await service.beside.vouchers.listVersion(siteId), version);
  assert.deepEqual((await service.call('GET', 'vouchers.php?site_id=1')).json.vouchers, []);
  const stock = await service.beside.stock.list();
  assert.deepEqual(
    stock.map(({ name, state, screenId, maxUses }) => [name.slice(10), state, screenId, maxUses]),
    Array.from({ length: 3 }, () => ['_Reserve', 'ready', null, 1]),
  );
  assert.equal(count('intents'), 0);
  assert.equal((await service.beside.stock.findReserve(siteId)).ready, 3);
});

test('a reserve voucher is recorded with the name typed and the moment of handing out', async () => {
  const [oldest] = await service.beside.stock.list();
  service.clock.advance(3_600_000);
  const audited = count("audit where action = 'voucher.created'");
  const announced = count('outbox');
  const userId = asUserId(await addUser(service, 'rita@example.org', 'operator'));
  const handedOut = await handOut(service.beside, {
    userId,
    labels: { note: 'Zimmer 4' },
    messages: [MAIL],
  });
  assert.ok(typeof handedOut === 'object' && oldest);
  assert.equal(handedOut.code, oldest.code);
  const [row] = service.rows('select * from vouchers where id = ?', handedOut.id ?? 0);
  assert.partialDeepStrictEqual(
    { ...row },
    {
      name: '2026-01-15_Müller',
      console_name: oldest.name,
      source: 'Web: Rita',
      owner_user_id: userId,
      note: 'Zimmer 4',
      created_at_s: Math.floor(service.clock.nowMs() / 1000),
      controller_voucher_id: oldest.controllerVoucherId,
      used_count: 0,
    },
  );
  assert.equal(count("audit where action = 'voucher.created'"), audited + 1);
  assert.equal(count('outbox'), announced + 1);
  assert.equal(count(`messages where state = 'waiting' and voucher_id = ${handedOut.id}`), 1);
  const [listed] = (await service.call('GET', 'vouchers.php?site_id=1')).json.vouchers;
  assert.equal(listed.voucher_name, '2026-01-15_Müller');
  assert.equal((await service.beside.stock.findReserve(siteId)).ready, 2);
});

test('if the mail of a reserve voucher cannot be stored, the voucher stays in the reserve', async () => {
  const before = traces();
  service.change('alter table messages rename to elsewhere');
  await assert.rejects(handOut(service.beside, { messages: [MAIL] }));
  service.change('alter table elsewhere rename to messages');
  assert.deepEqual(traces(), before);
});

test('the last reserve voucher, asked for 20 times at once on two instances, is handed out once', async () => {
  await handOut(service.beside);
  const asked = Array.from({ length: 20 }, (_, n) => handOut(n % 2 ? service.beside : other));
  const outcomes = await Promise.all(asked);
  assert.equal(outcomes.filter((outcome) => outcome !== undefined).length, 1);
  assert.equal(count('stock'), 0);
});

test('ten vouchers, asked for 40 times at once on two instances, go to ten callers', async () => {
  await order(RESERVE, { count: 10, name: 'Reserve' });
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, n) => handOut(n % 2 ? service.beside : other)),
  );
  const codes = outcomes.flatMap((outcome) => (typeof outcome === 'object' ? [outcome.code] : []));
  // On PostgreSQL, a caller does not wait for a row that another caller is taking.
  assert.equal(new Set(codes).size, codes.length);
  assert.equal(codes.length + count('stock'), 10);
  while (await handOut(other));
  assert.equal(count('stock'), 0);
});

test('a reserve voucher of an open batch is announced with the batch, later ones by themselves', async () => {
  await order(RESERVE, { count: 2, name: 'Reserve' });
  const { batches } = service.beside;
  const atMs = service.clock.nowMs();
  const batchId = asBatchId('a-batch-from-the-reserve');
  const limits = { maxUses: 1, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const wanted = { siteId, name: 'Müller', ...limits };
  await batches.begin({ id: batchId, order: wanted, wanted: 2, createdAtMs: atMs, isFromReserve: true });
  const announced = () => [count("audit where action = 'voucher.created'"), count('outbox')];
  const before = announced();
  assert.ok(await handOut(service.beside, { batchId }));
  assert.deepEqual(announced(), before);
  await batches.end(batchId, { problem: null, cause: null, actor: TESTER, atMs });
  const ended = announced();
  assert.ok(await handOut(service.beside, { batchId }));
  assert.deepEqual(
    announced(),
    ended.map((many) => many + 1),
  );
});

test('a screen takes a reserve voucher only within its limit', async () => {
  await order(RESERVE, { count: 2, name: 'Reserve' });
  const screenId = addScreen(service, { per_minute: 1 });
  const first = await handOut(service.beside, { screenId });
  assert.ok(first && first !== 'screen-limit');
  assert.equal(await handOut(other, { screenId }), 'screen-limit');
  assert.equal(count(`vouchers where screen_id = ${screenId}`), 1);
  assert.equal(count('stock'), 1);
});

test('an order for the stock that was killed is settled into the stock, not into the list', async () => {
  const screenId = addScreen(service, { kind: 'rolling' });
  const upstream = {
    name: '2026-01-15_Lobby',
    maxUses: 1,
    expireMinutes: 5,
    downKbps: 0,
    upKbps: 0,
    quotaMb: 0,
  };
  const before = traces();
  const opened = await service.beside.vouchers.begin({
    siteId,
    siteName: 'Demo',
    order: upstream,
    actor: TESTER,
    purpose: { kind: 'stock', screenId },
  });
  assert.ok(opened.ok);
  const { code } = controller.create('1/default', upstream, service.clock.nowMs());
  service.clock.advance(DEADLINE_MS);
  assert.equal((await settle(other)).recorded, 1);
  assert.deepEqual(traces(), before);
  assert.deepEqual(
    (await other.stock.list())
      .filter((voucher) => voucher.screenId === screenId)
      .map((voucher) => voucher.code),
    [code],
  );
});

test('a voucher in the stock is never claimed for an equal order, nor the other way round', async () => {
  const { beside } = service;
  const stocked = (await beside.stock.list()).find(({ screenId }) => screenId !== null);
  assert.ok(stocked);
  const upstream = { name: stocked.name, maxUses: 1, expireMinutes: 5, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const begin = (purpose?: typeof RESERVE) =>
    beside.vouchers.begin({
      siteId,
      siteName: 'Demo',
      order: upstream,
      actor: TESTER,
      ...(purpose && { purpose }),
    });
  const open = await begin();
  assert.ok(open.ok);
  const listed = controller.findByName('1/default', stocked.name);
  assert.equal(listed.length, 1);
  for (const claim of [beside.vouchers.record, beside.vouchers.recover]) {
    const recording = await claim(open.value, listed);
    assert.deepEqual([recording.created.length, recording.left.length], [0, 1]);
  }
  const own = controller.create('1/default', upstream, service.clock.nowMs());
  assert.equal((await beside.vouchers.record(open.value, [own])).created[0]?.code, own.code);
  const forStock = await begin(RESERVE);
  assert.ok(forStock.ok);
  assert.equal((await beside.vouchers.record(forStock.value, [own])).left.length, 1);
  assert.equal(await beside.vouchers.abandon(forStock.value), true);
});

test('a voucher that is recorded already leaves the stock without being handed out again', async () => {
  const [stocked] = (await other.stock.list()).filter(({ screenId }) => screenId === null);
  assert.ok(stocked);
  service.change(
    'update vouchers set controller_voucher_id = ? where id = (select max(id) from vouchers)',
    stocked.controllerVoucherId,
  );
  assert.equal(await handOut(other), undefined);
  assert.equal((await other.stock.findReserve(siteId)).ready, 0);
});
