// The contract of every driver as a test suite. A driver's test calls `controllerContract` with a subject that defines
// how to reach its controller and how to make it fail.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Controller,
  type ControllerFailure,
  MAX_VOUCHERS_PER_CALL,
  type UpstreamOrder,
  type UpstreamVoucher,
} from '../../src/kernel/controllers/controller.ts';
import { ok } from '../../src/platform/values/result.ts';
import { ordering } from '../support/ordering.ts';

export interface ContractSubject {
  /** A driver for the site of that name. Sites with other names have other vouchers. */
  controllerFor(site: string): Controller;
  /** A driver on which every order ends with that kind of failure. */
  failing(kind: ControllerFailure['kind']): Controller;
  /** Closes the connections and connects again. The controller itself keeps running. */
  reopen(): Promise<void>;
  /** Lets a guest use a voucher of the site `default`. */
  redeem(code: string): void;
  close(): Promise<void>;
}

const MAX_VALUE = 2_147_483_647;
const soon = () => AbortSignal.timeout(30_000);
let orders = 0;

function newOrder(fields: Partial<UpstreamOrder> = {}): UpstreamOrder {
  const unlimited = { maxUses: 1, expireMinutes: 480, downKbps: 0, upKbps: 0, quotaMb: 0 };
  return { ...unlimited, name: `2026-01-15_Order ${++orders}`, ...fields };
}

async function create(controller: Controller, order: UpstreamOrder) {
  const made = await controller.createVouchers(order, 1, ordering());
  assert.ok(made.ok, 'the order failed');
  return made.value.vouchers;
}

async function find(controller: Controller, name: string) {
  const found = await controller.findVouchersNamed(new Set([name]), { signal: soon(), priority: 'settle' });
  assert.ok(found.ok, 'the query failed');
  return found.value;
}

export function controllerContract(name: string, makeSubject: () => Promise<ContractSubject>): void {
  describe(`the controller contract: ${name}`, () => {
    let subject: ContractSubject;
    let controller: Controller;
    before(async () => {
      subject = await makeSubject();
      controller = subject.controllerFor('default');
    });
    after(() => subject.close());

    test('a deleted voucher is no longer listed, others stay, and deleting it again is not a failure', async () => {
      const [gone, kept] = [newOrder(), newOrder()];
      const [voucher] = await create(controller, gone);
      const [other] = await create(controller, kept);
      const [id, otherId] = [voucher?.controllerVoucherId ?? '', other?.controllerVoucherId ?? ''];
      assert.notEqual(id, '');
      for (let times = 0; times < 2; times++) assert.ok((await controller.deleteVoucher(id, soon())).ok);
      assert.deepEqual(await controller.listsAny([id, otherId], soon()), ok(true));
      assert.deepEqual(await find(controller, gone.name), []);
      assert.equal((await find(controller, kept.name)).length, 1);
    });

    test('a new voucher is unused and has every ordered limit and a numeric code', async () => {
      const order = newOrder({ maxUses: 3, expireMinutes: 90, downKbps: 5_000, upKbps: 1_000, quotaMb: 512 });
      const [voucher] = await create(controller, order);
      assert.partialDeepStrictEqual(voucher, { ...order, usedCount: 0, firstUsedAtMs: null });
      assert.match(voucher?.code ?? '', /^\d+$/);
      assert.ok(Math.abs(Date.now() - (voucher?.createdAtMs ?? 0)) < 10_000, 'created just now');
    });

    test('as many vouchers as an order may have are created at once', async () => {
      const made = await controller.createVouchers(newOrder(), MAX_VOUCHERS_PER_CALL, ordering());
      assert.equal(made.ok && made.value.vouchers.length, MAX_VOUCHERS_PER_CALL);
    });

    test('every limit is accepted up to the bound that the driver declares', async () => {
      const { bounds } = controller;
      const highest = newOrder({
        maxUses: bounds.maxUses?.max ?? MAX_VALUE,
        expireMinutes: bounds.expireMinutes?.max ?? MAX_VALUE,
        downKbps: bounds.downKbps?.max ?? MAX_VALUE,
        upKbps: bounds.upKbps?.max ?? MAX_VALUE,
        quotaMb: bounds.quotaMb?.max ?? MAX_VALUE,
      });
      await create(controller, highest);
      const [found] = await find(controller, highest.name);
      assert.partialDeepStrictEqual(found, highest);
    });

    test('a voucher is found by its name with the same fields', async () => {
      const order = newOrder({ downKbps: 2_000 });
      const [made] = await create(controller, order);
      assert.deepEqual(await find(controller, order.name), [made]);
    });

    test('a name is stored and found exactly: case, spaces, quotes, wildcards and emoji', async () => {
      const names = [
        'Zimmer',
        'zimmer',
        'Zimmer 1',
        'Zimmer%',
        'Zimmer_',
        `O'Brien "x" \\`,
        'Grüße 😀',
        'a&b=c?d#e',
      ];
      for (const each of names) await create(controller, newOrder({ name: `2026-01-15_${each}` }));
      for (const each of names) {
        const found = await find(controller, `2026-01-15_${each}`);
        assert.deepEqual(
          found.map((voucher) => voucher.name),
          [`2026-01-15_${each}`],
        );
      }
    });

    test('the longest allowed name is stored completely', async () => {
      const order = newOrder({ name: `2026-01-15_${'ß'.repeat(244)}` });
      await create(controller, order);
      assert.equal((await find(controller, order.name))[0]?.name, order.name);
    });

    test('an unknown name finds no voucher', async () => {
      assert.deepEqual(await find(controller, '2026-01-15_nobody'), []);
    });

    test('each site has only its own vouchers', async () => {
      const order = newOrder();
      const other = subject.controllerFor('another');
      const [here] = await create(controller, order);
      const [there] = await create(other, order);
      assert.deepEqual(await find(controller, order.name), [here]);
      assert.deepEqual(await find(other, order.name), [there]);
    });

    test('concurrent equal orders get different vouchers, and all of them are found', async () => {
      const order = newOrder();
      const made = await Promise.all(Array.from({ length: 50 }, () => create(controller, order)));
      const found = await find(controller, order.name);
      assert.equal(found.length, 50);
      assert.equal(new Set(found.map(({ code }) => code)).size, 50);
      assert.equal(new Set(found.map(({ controllerVoucherId }) => controllerVoucherId)).size, 50);
      const known = new Set(found.map(({ code }) => code));
      for (const { code } of made.flat()) assert.ok(known.has(code));
    });

    test('vouchers still exist after reconnecting', async () => {
      const order = newOrder();
      const made = await create(controller, order);
      await subject.reopen();
      controller = subject.controllerFor('default');
      assert.deepEqual(await find(controller, order.name), made);
    });

    test('the pages contain every voucher of the site once, with the same fields as a search by name', async () => {
      const [made] = await create(controller, newOrder());
      const seen: UpstreamVoucher[] = [];
      const failure = await controller.forEachVoucherChunk(async (page) => void seen.push(...page), soon());
      assert.equal(failure, undefined);
      assert.ok(seen.length > 50);
      assert.equal(new Set(seen.map(({ controllerVoucherId }) => controllerVoucherId)).size, seen.length);
      assert.deepEqual(
        seen.filter(({ code }) => code === made?.code),
        [made],
      );
    });

    test('a use is counted, and its time is returned', async () => {
      const order = newOrder({ maxUses: 2 });
      const [made] = await create(controller, order);
      subject.redeem(made?.code ?? '');
      const [used] = await find(controller, order.name);
      const firstUsedAtMs = used?.firstUsedAtMs ?? 0;
      assert.deepEqual(used, { ...made, usedCount: 1, firstUsedAtMs });
      assert.ok(Math.abs(Date.now() - firstUsedAtMs) < 10_000, 'used just now');
      const uses = await controller.findUses(soon());
      assert.ok(uses.ok);
      assert.equal(uses.value.get(used?.controllerVoucherId ?? '') ?? firstUsedAtMs, firstUsedAtMs);
    });

    test('the sites of a controller are listed, and a driver for each site passes its check', async () => {
      const listed = await controller.listSites(soon());
      assert.ok(listed.ok);
      assert.ok(listed.value.some(({ id }) => id === 'default'));
      for (const { id, name } of listed.value) {
        assert.notEqual(name, '');
        assert.equal(await subject.controllerFor(id).check(soon()), undefined, id);
      }
    });

    test('a driver that can disconnect devices says how many it disconnected', async () => {
      if (!controller.disconnectDevices) return;
      const [voucher] = await create(controller, newOrder({ maxUses: 2 }));
      const use = { controllerVoucherId: voucher?.controllerVoucherId ?? '', usedForMs: 1_000 };
      assert.deepEqual(await controller.disconnectDevices(use, soon()), { count: 0 });
      subject.redeem(voucher?.code ?? '');
      subject.redeem(voucher?.code ?? '');
      assert.ok((await controller.deleteVoucher(use.controllerVoucherId, soon())).ok);
      assert.deepEqual(await controller.disconnectDevices(use, soon()), { count: 2 });
      const unreachable = await subject.failing('unreachable').disconnectDevices?.(use, soon());
      assert.partialDeepStrictEqual(unreachable, { count: 0, failure: { kind: 'unreachable' } });
    });

    test('a working controller passes its check', async () => {
      assert.equal(await controller.check(soon()), undefined);
      if (controller.readVersion) assert.match((await controller.readVersion(soon())) ?? '', /^\d+\.\d+/);
    });

    for (const kind of ['refused', 'unreachable', 'outcome-unknown'] as const)
      test(`a failure of the kind "${kind}" is reported as such, with a text`, async () => {
        const failing = subject.failing(kind);
        const made = await failing.createVouchers(newOrder(), 1, ordering());
        assert.ok(!made.ok);
        assert.equal(made.problem.kind, kind);
        assert.notEqual(made.problem.text.trim(), '');
        assert.notEqual((await failing.check(soon()))?.text ?? '', '');
      });

    test('an order that was refused or never arrived creates no voucher', async () => {
      for (const kind of ['refused', 'unreachable'] as const) {
        const failing = subject.failing(kind);
        const order = newOrder();
        await failing.createVouchers(order, 1, ordering());
        const found = await failing.findVouchersNamed(new Set([order.name]), {
          signal: soon(),
          priority: 'settle',
        });
        assert.deepEqual(found.ok ? found.value : [], []);
      }
    });
  });
}
