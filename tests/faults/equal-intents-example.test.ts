// The example of identical intents in decision 0005, with its times: B claims the voucher that A ordered, so A waits
// for the voucher that B ordered.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openSimulatedVouchers } from '../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import { codeOf } from '../storage/samples.ts';
import { actorOf } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { settle } from './bookkeeping.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

for (const isSecondCreated of [true, false])
  test(`B has claimed A's voucher: ${isSecondCreated ? 'A gets the voucher of B' : 'A waits until second 110'}`, async () => {
    const simulated = openSimulatedVouchers(service.config.dataDir);
    const siteId = await service.addSite('default');
    const limits = { maxUses: 1, expireMinutes: 480, downKbps: 0, upKbps: 0, quotaMb: 0 };
    const order = { name: '2026-01-15_Zimmer 12', ...limits };
    const begin = async () => {
      const intent = { siteId: asSiteId(siteId), siteName: 'x', order, actor: actorOf('API: Test') };
      const opened = await service.beside.vouchers.begin(intent);
      assert.ok(opened.ok);
      return opened.value;
    };
    const createOnController = () => simulated.create(`${siteId}/default`, order, service.clock.nowMs());
    const startMs = service.clock.nowMs();
    const waitUntilSecond = (second: number) =>
      service.clock.advance(startMs + second * 1000 - service.clock.nowMs());
    const assertSettled = async (expected: { recorded: number; forgotten: number; open: number }) => {
      const { recorded, forgotten, open } = await settle(service.beside);
      assert.deepEqual({ recorded, forgotten, open }, expected);
    };

    await begin();
    waitUntilSecond(30);
    const b = await begin();
    waitUntilSecond(35);
    const first = createOnController();
    waitUntilSecond(38);
    await assertSettled({ recorded: 0, forgotten: 0, open: 2 });
    waitUntilSecond(40);
    assert.equal(codeOf(await service.beside.vouchers.recover(b, [first])), first.code);
    waitUntilSecond(80);
    await assertSettled({ recorded: 0, forgotten: 0, open: 1 });
    waitUntilSecond(95);
    if (isSecondCreated) createOnController();
    waitUntilSecond(109);
    const left = isSecondCreated ? 0 : 1;
    await assertSettled({ recorded: 1 - left, forgotten: 0, open: left });
    waitUntilSecond(110);
    await assertSettled({ recorded: 0, forgotten: left, open: 0 });
    simulated.close();
  });
