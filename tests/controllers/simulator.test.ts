// Tests the driver of the simulated controller: the common contract and each simulated failure.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeSimulatorDriver, simulatedFailures } from '../../src/kernel/controllers/simulator/driver.ts';
import { openSimulatedVouchers } from '../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import { siteCommands } from '../../src/kernel/sites/site-commands.ts';
import { systemClock as clock } from '../../src/platform/time/clock.ts';
import { ordering } from '../support/ordering.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { controllerContract } from './controller-contract.ts';

controllerContract('simulator', async () => {
  const { folder, remove } = makeFolder();
  let vouchers = openSimulatedVouchers(folder);
  const siteThatFails = {
    refused: 'fail:refuse',
    unreachable: 'fail:unreachable',
    'outcome-unknown': 'fail:lose-answer',
  };
  return {
    controllerFor: (site) => makeSimulatorDriver({ site, place: site, vouchers: () => vouchers, clock }),
    failing: (kind) =>
      makeSimulatorDriver({
        site: siteThatFails[kind],
        place: siteThatFails[kind],
        vouchers: () => vouchers,
        clock,
      }),
    redeem: (code) => assert.ok(vouchers.redeem('default', code, clock.nowMs())),
    async reopen() {
      vouchers.close();
      vouchers = openSimulatedVouchers(folder);
    },
    async close() {
      vouchers.close();
      remove();
    },
  };
});

const signal = new AbortController().signal;
const order = { name: 'x', maxUses: 2, expireMinutes: 5, downKbps: 1, upKbps: 2, quotaMb: 3 };

describe('failures of the simulated controller', { concurrency: true }, () => {
  const failures: Record<string, { response: unknown; madeUpstream: number }> = {
    'fail:refuse': { response: { ok: false, problem: { kind: 'refused' } }, madeUpstream: 0 },
    'fail:unreachable': { response: { ok: false, problem: { kind: 'unreachable' } }, madeUpstream: 0 },
    'fail:nothing': { response: { ok: true, value: { vouchers: [] } }, madeUpstream: 0 },
    'fail:no-code': {
      response: { ok: true, value: { vouchers: [{ ...order, code: null }] } },
      madeUpstream: 0,
    },
    'fail:time-out': { response: { ok: false, problem: { kind: 'outcome-unknown' } }, madeUpstream: 0 },
    'fail:lose-answer': { response: { ok: false, problem: { kind: 'outcome-unknown' } }, madeUpstream: 1 },
  };

  for (const [site, { response, madeUpstream }] of Object.entries(failures))
    test(`a site called ${site} fails in that way, and its check reports it`, async () => {
      const { folder, remove } = makeFolder();
      const vouchers = openSimulatedVouchers(folder);
      const driver = makeSimulatorDriver({ site, place: site, vouchers: () => vouchers, clock });
      assert.partialDeepStrictEqual(await driver.createVouchers(order, 1, ordering(signal)), response);
      assert.equal(vouchers.findByName(site, 'x').length, madeUpstream);
      assert.match((await driver.check(signal))?.text ?? '', new RegExp(site));
      vouchers.close();
      remove();
    });

  test('a site called fail:throw makes the driver throw', async () => {
    const { folder, remove } = makeFolder();
    const vouchers = openSimulatedVouchers(folder);
    await assert.rejects(
      makeSimulatorDriver({
        site: 'fail:throw',
        place: 'fail:throw',
        vouchers: () => vouchers,
        clock,
      }).createVouchers(order, 1, ordering(signal)),
      /broke down/,
    );
    vouchers.close();
    remove();
  });

  test('every simulated failure is tested here and named in the help of "sites add"', () => {
    assert.deepEqual([...simulatedFailures].sort(), [...Object.keys(failures), 'fail:throw'].sort());
    const help = siteCommands.find(({ name }) => name === 'sites add')?.help ?? '';
    for (const site of simulatedFailures) assert.ok(help.includes(site), site);
  });
});

test('any other name works, even a name that resembles a failure', async () => {
  const { folder, remove } = makeFolder();
  const vouchers = openSimulatedVouchers(folder);
  for (const site of ['default', 'fail', 'fail:', 'FAIL:REFUSE', 'toString', '__proto__']) {
    const driver = makeSimulatorDriver({ site, place: site, vouchers: () => vouchers, clock });
    assert.equal((await driver.createVouchers(order, 1, ordering(signal))).ok, true, site);
    assert.equal(await driver.check(signal), undefined, site);
  }
  vouchers.close();
  remove();
});

test('a list ends although a voucher is created during each page', async () => {
  const { folder, remove } = makeFolder();
  const vouchers = openSimulatedVouchers(folder);
  const driver = makeSimulatorDriver({ site: 'x', place: 'x', vouchers: () => vouchers, clock });
  await driver.createVouchers(order, 501, ordering(signal));
  let pages = 0;
  await driver.forEachVoucherChunk(async () => {
    assert.ok(++pages <= 10, 'the list does not end');
    await driver.createVouchers(order, 1, ordering(signal));
  }, signal);
  assert.equal(pages, 2);
  vouchers.close();
  remove();
});
