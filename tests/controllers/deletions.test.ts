// Tests over real HTTP that a driver reports a voucher as deleted only if its console says so in its own format, and
// how few calls this takes.

import assert from 'node:assert/strict';
import { after, afterEach, describe, test } from 'node:test';
import {
  type Fault,
  type StoredVoucher,
  startSimulatedConsole,
} from '../../packages/unifi-console/src/index.ts';
import type { Controller } from '../../src/kernel/controllers/controller.ts';
import { ok } from '../../src/platform/values/result.ts';
import { connect, pinnedSite } from './support/pinned-site.ts';

const drivers = [
  { kind: 'unifi', flavour: 'unifi-os' },
  { kind: 'unifi-classic', flavour: 'unifi-os' },
  { kind: 'unifi-classic', flavour: 'unifi-classic' },
] as const;

const soon = () => AbortSignal.timeout(15_000);
const UNKNOWN = {
  unifi: '0c9d1f6e-5b1e-4d0c-9d7c-1f1b6f2f8a10',
  'unifi-classic': '66f1a0c2d3b4e50017a9c001',
};

/** Responses to the deletion that leave the voucher on the console. */
const LIES: Fault[] = [
  { kind: 'html', written: false },
  { kind: 'status', status: 404, body: 'html' },
  { kind: 'status', status: 404, body: 'empty' },
  { kind: 'status', status: 404 },
  {
    kind: 'wrong-json',
    written: false,
    text: '{"statusCode":404,"message":"Not Found","error":"Not Found"}',
  },
  { kind: 'wrong-json', written: false, text: '{"meta":{"rc":"ok"},"data":[],"vouchersDeleted":0}' },
  { kind: 'empty', written: false },
  { kind: 'status', status: 204, body: 'empty' },
  { kind: 'redirect' },
  { kind: 'wrong-site' },
  { kind: 'status', status: 503, body: 'html' },
  { kind: 'cut-before-write' },
];

for (const { kind, flavour } of drivers)
  describe(`${kind} on ${flavour}`, async () => {
    const console = await startSimulatedConsole({ flavour, loginsPerMinute: null });
    const { controls } = console;
    const controllers = connect();
    const driver: Controller = controllers.controllerOf(pinnedSite(console, kind));
    after(async () => {
      await controllers.close();
      await console.stop();
    });
    afterEach(() => controls.resetFaults());

    const idOf = ({ id, uuid }: StoredVoucher) => (kind === 'unifi' ? uuid : id);
    function fill(count: number): string[] {
      return controls.fill({ count, note: 'Tagung' }).map(idOf);
    }
    const has = (id: string) => controls.vouchers().some((voucher) => idOf(voucher) === id);
    const requests = () => ({ ...controls.counters().requests });

    test('a deletion takes one call, on the classic API also a read of one second before and after it', async () => {
      const [warm = '', id = ''] = fill(3);
      assert.ok((await driver.deleteVoucher(warm, soon())).ok);
      controls.resetCounters();
      assert.deepEqual(await driver.deleteVoucher(id, soon()), ok('deleted'));
      assert.deepEqual(requests(), kind === 'unifi' ? { delete: 1 } : { delete: 1, list: 2 });
      assert.ok(!has(id));
    });

    test('a voucher that the console does not have is absent, and listed vouchers identify the console', async () => {
      const ids = fill(2);
      assert.deepEqual(await driver.deleteVoucher(UNKNOWN[kind], soon()), ok('absent'));
      assert.deepEqual(await driver.listsAny([UNKNOWN[kind], ...ids], soon()), ok(true));
      assert.deepEqual(await driver.listsAny([UNKNOWN[kind], 'no id at all'], soon()), ok(false));
    });

    for (const fault of LIES) {
      const { kind: name, status = '', body = '', text = '' } = fault;
      test(`${[name, status, body, text].join(' ')} does not count as a deletion`, async () => {
        const [id = ''] = fill(2);
        controls.setFault({ match: 'delete', ...fault });
        const deletion = await driver.deleteVoucher(id, soon());
        assert.ok(!deletion.ok, JSON.stringify(deletion));
        assert.notEqual(deletion.problem.text, '');
        assert.ok(has(id));
        controls.resetFaults();
        assert.ok((await driver.deleteVoucher(id, soon())).ok, 'the deletion can be repeated');
        assert.ok(!has(id));
      });
    }

    const reading = kind === 'unifi' ? 'get' : 'list';
    for (const fault of [
      { kind: 'status', status: 500 },
      { kind: 'status', status: 404, body: 'html' },
      { kind: 'html' },
      { kind: 'truncated-json' },
      { kind: 'cut-mid-answer' },
      { kind: 'rate-limited' },
    ] satisfies Fault[])
      test(`an absent voucher does not count as deleted if the console cannot be asked (${fault.kind})`, async () => {
        fill(1);
        controls.setFault({ match: reading, times: 'always', ...fault });
        assert.equal((await driver.deleteVoucher(UNKNOWN[kind], soon())).ok, false);
      });
  });

test('unifi: an absent voucher counts only if the site still has the same id', async () => {
  const console = await startSimulatedConsole();
  const controllers = connect();
  const driver = controllers.controllerOf(pinnedSite(console, 'unifi'));
  async function causeWith(site: { id: string; internalReference: string; name: string }) {
    console.controls.resetFaults();
    const text = JSON.stringify({ totalCount: 1, data: [site] });
    console.controls.setFault({ match: 'sites', kind: 'wrong-json', text, times: 'always' });
    const deletion = await driver.deleteVoucher(UNKNOWN.unifi, soon());
    return deletion.ok ? deletion.value : deletion.problem.cause;
  }
  try {
    assert.deepEqual(await driver.deleteVoucher(UNKNOWN.unifi, soon()), ok('absent'));
    const site = { id: UNKNOWN.unifi, internalReference: 'default', name: 'Default' };
    assert.equal(await causeWith(site), 'other-console');
    assert.equal(await causeWith({ ...site, internalReference: 'p7q4m1zz' }), 'no-such-site');
  } finally {
    await controllers.close();
    await console.stop();
  }
});

test('unifi-classic: an empty list does not show that a voucher was deleted', async () => {
  const console = await startSimulatedConsole({ flavour: 'unifi-classic' });
  const controllers = connect();
  try {
    const driver = controllers.controllerOf(pinnedSite(console, 'unifi-classic'));
    const deletion = await driver.deleteVoucher(UNKNOWN['unifi-classic'], soon());
    assert.match(deletion.ok ? '' : deletion.problem.text, /lists no vouchers at all/);
    // The last voucher of its second: the console had it, and the list of the second is empty afterwards.
    const [voucher] = console.controls.fill({});
    assert.deepEqual(await driver.deleteVoucher(voucher?.id ?? '', soon()), ok('absent'));
    const [kept] = console.controls.fill({});
    console.controls.setFault({ match: 'delete', kind: 'rc-error', text: 'api.err.Busy' });
    assert.equal((await driver.deleteVoucher(kept?.id ?? '', soon())).ok, false);
    assert.equal(console.controls.vouchers().length, 1);
  } finally {
    await controllers.close();
    await console.stop();
  }
});

test('unifi-classic: deletions that end together share the reads that confirm them', async () => {
  const console = await startSimulatedConsole({ flavour: 'unifi-classic' });
  const controllers = connect();
  try {
    const driver = controllers.controllerOf(pinnedSite(console, 'unifi-classic'));
    const made = console.controls.fill({ count: 200 });
    await driver.check(soon());
    console.controls.resetCounters();
    const deleted = await Promise.all(made.slice(0, 100).map(({ id }) => driver.deleteVoucher(id, soon())));
    assert.ok(deleted.every((deletion) => deletion.ok && deletion.value === 'deleted'));
    assert.equal(console.controls.vouchers().length, 100);
    const { list = 0 } = console.controls.counters().requests;
    assert.ok(list < 100, `${list} lists for 100 deletions`);
  } finally {
    await controllers.close();
    await console.stop();
  }
});
