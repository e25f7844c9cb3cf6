// Injected faults in the voucher data of a response, and vouchers that appear later than they were ordered.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { openWaysIn, WAYS_IN, type WayIn } from './support/fault-bench.ts';
import { useConsoles } from './support/test-console.ts';

const startConsole = useConsoles();

let ways: WayIn[];
before(async () => {
  ways = await openWaysIn(startConsole);
  for (const way of ways) for (let round = 0; round < 4; round++) await way.create();
});

for (const [index, name] of WAYS_IN.entries())
  describe(name, () => {
    let way: WayIn;
    let isIntegration: boolean;
    before(() => {
      way = ways[index] ?? assert.fail();
      isIntegration = name === 'integration';
    });

    test('without-voucher returns no voucher for an order, and creates one only with `written`', async () => {
      const before = way.stored();
      way.setFault({ match: 'create', kind: 'without-voucher' });
      const { reply } = await way.create();
      const key = isIntegration ? 'vouchers' : 'data';
      assert.deepEqual([reply?.status, reply?.json[key]], [isIntegration ? 201 : 200, []]);
      assert.equal(way.stored(), before);
      way.setFault({ match: 'create', kind: 'without-voucher', written: true });
      assert.deepEqual((await way.create()).reply?.json[key], []);
      assert.equal(way.stored(), before + 1);
    });

    test('without-voucher lists no voucher although vouchers exist', async () => {
      way.setFault({ match: 'list', kind: 'without-voucher' });
      const { reply } = await way.list();
      assert.deepEqual([reply?.status, reply?.json.data], [200, []]);
      if (isIntegration) assert.deepEqual([reply?.json.count, reply?.json.totalCount], [0, 0]);
      assert.ok((await way.list()).reply?.json.data.length > 0);
    });

    test('list-ends-early lists fewer vouchers than there are', async () => {
      const all = (await way.list()).reply?.json;
      way.setFault({ match: 'list', kind: 'list-ends-early' });
      const short = (await way.list()).reply?.json;
      if (isIntegration)
        assert.deepEqual([short.data, short.count, short.totalCount], [[], 0, all.totalCount]);
      else assert.equal(short.data.length, Math.floor(all.data.length / 2));
    });

    test('without-code and code-as-number change the codes and nothing else', async () => {
      const [whole] = (await way.list()).reply?.json.data ?? [];
      way.setFault({ match: 'list', kind: 'without-code' });
      const { code, ...rest } = whole;
      assert.deepEqual((await way.list()).reply?.json.data[0], rest);
      way.setFault({ match: 'list', kind: 'code-as-number' });
      assert.deepEqual((await way.list()).reply?.json.data[0], { ...whole, code: Number(code) });
    });

    test('slow-to-appear responds immediately and lists the voucher later, with the time of the order', async () => {
      const { clock, controls } = way.simulator;
      const before = way.stored();
      const orderedAtS = Math.floor(clock.nowMs() / 1000);
      way.setFault({ match: 'create', kind: 'slow-to-appear', ms: 3000 });
      const { reply } = await way.create();
      assert.ok(reply?.status === 200 || reply?.status === 201);
      assert.deepEqual([way.stored(), controls.counters().vouchersPending], [before, 1]);
      clock.advance(2999);
      assert.equal(way.stored(), before);
      clock.advance(1);
      assert.equal(way.stored(), before + 1);
      assert.equal(controls.vouchers().at(-1)?.createdAtS, orderedAtS);
    });

    for (const ending of ['cut', 'hang', 'status'] as const)
      test(`late-creation ending in ${ending}: no voucher now, and one later by the clock`, async () => {
        const { clock, controls } = way.simulator;
        const before = way.stored();
        const orderedAtMs = clock.nowMs();
        way.setFault({ match: 'create', kind: 'late-creation', ms: 15_000, ending });
        const { reply, failure } = await (ending === 'hang' ? way.createInVain() : way.create());
        if (ending === 'cut') assert.ok(failure && failure !== 'no answer', failure);
        if (ending === 'hang') assert.equal(failure, 'no answer');
        if (ending === 'status') assert.equal(reply?.status, 504);
        clock.advance(14_999);
        assert.deepEqual([way.stored(), controls.counters().vouchersPending], [before, 1]);
        clock.advance(60_001);
        assert.deepEqual([way.stored(), controls.counters().vouchersPending], [before + 1, 0]);
        const made = controls.vouchers().at(-1);
        assert.equal(made?.createdAtS, Math.floor((orderedAtMs + 15_000) / 1000), 'created when it was due');
        assert.ok(JSON.stringify((await way.list()).reply?.json).includes(made?.code ?? 'none'));
      });
  });

test('a late creation happens even if the session has ended by then', async () => {
  const way = ways[1] ?? assert.fail();
  const before = way.stored();
  way.setFault({ match: 'create', kind: 'late-creation', ms: 5000 });
  await way.create();
  way.simulator.controls.expireSessions();
  way.simulator.clock.advance(5000);
  assert.equal(way.stored(), before + 1);
});
