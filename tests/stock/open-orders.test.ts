// Tests what a kiosk does when the outcome of an order is unknown: the guest gets a voucher of the reserve, and if the
// controller has created the ordered one after all, it is deleted there, and no second mail is sent.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { makeHandOutUseCases } from '../../src/features/reserve/hand-out-use-cases.ts';
import { makeScreenOrders } from '../../src/features/screens/screen-order-use-case.ts';
import {
  openSimulatedVouchers,
  type SimulatedVouchers,
} from '../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import { outcomeUnknown, unreachable } from '../../src/kernel/controllers/upstream/failures.ts';
import type { ScreenId } from '../../src/kernel/ids.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import { makeCreationUseCases } from '../../src/kernel/vouchers/creation-use-cases.ts';
import { fail } from '../../src/platform/values/result.ts';
import { settle } from '../faults/bookkeeping.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { setupMail } from '../support/setup-mail.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { unobserved } from '../support/unobserved.ts';
import { addScreen, ordersOf, refillOf, withController } from './support.ts';

const timeZone = 'Europe/Berlin';
const MINUTE_MS = 60_000;
const AWAY = unreachable('failed', 'the controller failed (502)');

const { folder: dataDir, remove } = makeFolder();
let service: TestService;
let console: SimulatedVouchers;
before(async () => {
  service = await startTestService({ dataDir, jobs: false });
  console = openSimulatedVouchers(dataDir);
  await setupMail(service);
});
beforeEach(() => {
  for (const table of ['messages', 'intents', 'vouchers', 'stock', 'screens'])
    service.change(`delete from ${table}`);
  console.forget('1/');
});
after(async () => {
  console.close();
  await service.stop();
  remove();
});

async function fillReserve(count: number): Promise<void> {
  const { created } = await ordersOf(service.beside)(
    { kind: 'stock', screenId: null },
    { count, name: 'Reserve' },
  );
  assert.equal(created.length, count);
}

/** The installation while the console answers no search, and creates vouchers without saying so, or not at all. */
function withoutResponses({ isCreated }: { isCreated: boolean }): Installation {
  return withController(service.beside, (controller) => ({
    async createVouchers(...order) {
      if (isCreated) await controller.createVouchers(...order);
      return fail(outcomeUnknown('broke-off', 'the response was lost'));
    },
    findVouchersNamed: async () => fail(AWAY),
    forEachVoucherChunk: async () => AWAY,
    listsAny: async () => fail(AWAY),
  }));
}

function orderOf(installation: Installation, id: ScreenId) {
  const { createVouchers } = makeCreationUseCases(installation, { timeZone });
  const { handOutReserve } = makeHandOutUseCases(installation, { timeZone });
  const parts = { createVouchers, handOutReserve, timeZone, log: unobserved.log };
  const orderAtScreen = makeScreenOrders(installation, parts);
  return async (name: string) => {
    const screen = await service.beside.screens.find(id);
    assert.ok(screen);
    const mail = { address: 'anna@example.org', language: 'de' as const };
    return orderAtScreen(screen, { profile: undefined, name, mail }, {});
  };
}

const codesOnConsole = () =>
  console
    .page('1/default', '', 100)
    .map(({ code }) => code)
    .sort();
const column = (query: string) => service.rows(query).map((row) => Object.values(row)[0]);

test('a voucher that appears late is deleted on the controller, and its mail is not sent', async () => {
  await fillReserve(1);
  const [reserved] = codesOnConsole();
  const order = orderOf(withoutResponses({ isCreated: true }), addScreen(service));
  assert.equal((await order('Anna')).result, 'reserve');
  assert.equal(codesOnConsole().length, 2, 'the controller has created the voucher that was ordered');

  service.clock.advance(MINUTE_MS);
  await settle(service.beside);
  assert.deepEqual(column('select code from vouchers'), [reserved]);
  assert.deepEqual(column('select state from stock'), ['leaving']);
  await refillOf(service.beside)();
  assert.deepEqual(codesOnConsole(), [reserved]);
  assert.deepEqual(column('select state from stock'), ['gone']);
  assert.equal(await refillOf(service.beside)(), 'nothing');
  service.change(`update stock set missing_since_ms = missing_since_ms - ${60 * MINUTE_MS}`);
  await refillOf(service.beside)();
  assert.deepEqual(column('select count(*) from stock'), [0]);
  assert.deepEqual(column("select state from messages where channel = 'mail'"), ['waiting']);
});

test('a voucher that was deleted is not claimed by an equal order, whose list is older', async () => {
  await fillReserve(1);
  const order = orderOf(withoutResponses({ isCreated: true }), addScreen(service));
  assert.equal((await order('Anna')).result, 'reserve');
  assert.equal((await order('Anna')).result, 'away');
  const [reserved] = column('select code from vouchers');
  service.clock.advance(MINUTE_MS);
  const { recover } = service.beside.vouchers;
  const vouchers = {
    ...service.beside.vouchers,
    async recover(...order: Parameters<typeof recover>) {
      const recording = await recover(...order);
      await refillOf(service.beside)();
      return recording;
    },
  };
  await settle(Object.assign(Object.create(service.beside), service.beside, { vouchers }));
  assert.deepEqual(column('select code from vouchers order by code'), codesOnConsole());
  assert.equal(codesOnConsole().length, 2);
  assert.ok(codesOnConsole().includes(String(reserved)));
});

test('without a reserve, the voucher that appears late is recorded, and its mail is sent', async () => {
  const order = orderOf(withoutResponses({ isCreated: true }), addScreen(service));
  assert.equal((await order('Anna')).result, 'away');
  service.clock.advance(MINUTE_MS);
  await settle(service.beside);
  assert.deepEqual(column('select code from vouchers'), codesOnConsole());
  assert.deepEqual(column("select state from messages where channel = 'mail'"), ['waiting']);
});

test('however long the console is away, each guest takes one place', async () => {
  await fillReserve(15);
  const away = withoutResponses({ isCreated: false });
  const order = orderOf(away, addScreen(service, { per_minute: 1 }));
  for (let guest = 1; guest <= 15; guest++) {
    assert.equal((await order(`Gast ${guest}`)).result, 'reserve', `guest ${guest}`);
    assert.equal((await order('Zu früh')).result, 'limit');
    service.clock.advance(MINUTE_MS);
    await settle(away);
  }
});
