// Tests that a voucher of the console is claimed once: by an order or for the stock, although both ask at the same time
// on two instances, and also if the console has given it no id.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import type { UpstreamVoucher } from '../../src/kernel/controllers/controller.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import type { OrderPurpose } from '../../src/kernel/vouchers/order-purpose.ts';
import { actorOf, TESTER } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { siteId } from './support.ts';

const PAIRS = 40;
const ORDER = {
  name: '2026-01-15_Reserve',
  maxUses: 1,
  expireMinutes: 480,
  downKbps: 0,
  upKbps: 0,
  quotaMb: 0,
};

let service: TestService;
let other: Installation;
before(async () => {
  service = await startTestService({ jobs: false });
  other = await openInstallation(service.config, service.clock);
});
after(async () => {
  await other.close();
  await service.stop();
});

const count = (from: string) => Number(service.rows(`select count(*) as n from ${from}`)[0]?.n);

async function begin(purpose?: OrderPurpose) {
  const opened = await service.beside.vouchers.begin({
    ...{ siteId, siteName: 'Demo', order: ORDER, actor: TESTER },
    ...(purpose && { purpose }),
  });
  assert.ok(opened.ok);
  return opened.value;
}

const listed = (name: string, n: number): UpstreamVoucher => ({
  ...ORDER,
  controllerVoucherId: `${name}-${n}`,
  code: String(1_000_000_000 + n),
  usedCount: 0,
  createdAtMs: service.clock.nowMs(),
  firstUsedAtMs: null,
});

for (const name of ['record', 'recover'] as const)
  test(`a voucher that an order claims by \`${name}\` is not claimed for the stock as well`, async () => {
    const before = count('stock') + count('vouchers');
    for (let n = 0; n < PAIRS; n++) {
      const forStock = await begin({ kind: 'stock', screenId: null });
      const own = await begin();
      const voucher = listed(name, n);
      const recordings = await Promise.all([
        service.beside.vouchers.recover(forStock, [voucher]),
        other.vouchers[name](own, [voucher]),
      ]);
      assert.equal(recordings.flatMap(({ created }) => created).length, 1);
      for (const { left } of recordings) await other.vouchers.abandon(left);
    }
    assert.equal(count('stock') + count('vouchers'), before + PAIRS);
    assert.equal(count('intents'), 0);
  });

test('a voucher without an id of the controller goes into the stock once, and to one guest', async () => {
  service.change('delete from stock');
  const voucher = { ...listed('none', 1), controllerVoucherId: null, code: '1234512345' };
  const { recover, abandon } = service.beside.vouchers;
  const claim = async () => {
    const { created, left } = await recover(await begin({ kind: 'stock', screenId: null }), [voucher]);
    await abandon(left);
    return created.length;
  };
  const handOut = () =>
    service.beside.stock.handOut({ siteId, name: 'a', storedName: 'a', actor: actorOf('Web: Rita') });
  assert.deepEqual([await claim(), await claim(), count('stock')], [1, 0, 1]);
  assert.ok(await handOut());
  assert.equal(await claim(), 0, 'it is recorded');
  // A sync finds the id of the record, and something has put the voucher into the stock again.
  await service.beside.usage.adopt(siteId, [{ ...voucher, controllerVoucherId: 'late' }]);
  assert.equal(await claim(), 0, 'it is recorded with the id');
  service.change(
    `insert into stock (site_id, state, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, code,
      made_at_ms) values (?, 'ready', 'x', 1, 5, 0, 0, 0, ?, 1)`,
    siteId,
    voucher.code,
  );
  assert.equal(await handOut(), undefined);
  assert.equal(count('stock'), 0);
});
