// Tests that a cached list is never newer by its version than by its content, and that a list to which recorded
// vouchers were added is the same as the list made anew.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { asSiteId } from '../ids.ts';
import { LIST_SIZE } from '../vouchers/list-vouchers.ts';
import type { Voucher } from '../vouchers/voucher.ts';
import type { SiteListChange } from '../vouchers/voucher-records.ts';
import { presentVoucher } from './present-voucher.ts';
import { makeVoucherListCache } from './voucher-list-cache.ts';

const site = asSiteId(1);
const NOW_S = 1_800_000_000;

const voucherOf = (createdAtS: number, change: Partial<Voucher> = {}): Voucher => ({
  code: '0482715936',
  name: '2027-01-15_Zimmer 12',
  maxUses: 1,
  expireMinutes: 480,
  usedCount: 0,
  createdAtS,
  firstUsedAtS: null,
  endedAtS: null,
  endsAtS: null,
  ...change,
});

/** A store of one site. `record` and `change` do what a commit of this process does. */
function makeScene(stored: Voucher[] = []) {
  const scene = {
    version: 1,
    nowS: NOW_S,
    reads: 0,
    stored,
    listener: (_: SiteListChange) => {},
    onRead: () => {},
  };
  const change = (recorded?: Voucher) => scene.listener({ siteId: site, version: ++scene.version, recorded });
  const listResponse = makeVoucherListCache({
    vouchers: {
      listVersion: async () => scene.version,
      async listNewest(_site, limit) {
        scene.reads++;
        scene.onRead();
        return scene.stored.slice(0, limit);
      },
      onListChange: (listener) => {
        scene.listener = listener;
      },
    },
    clock: { nowMs: () => scene.nowS * 1_000 },
  });
  return {
    scene,
    listResponse,
    change,
    record(voucher: Voucher) {
      scene.stored = [voucher, ...scene.stored].sort((one, other) => other.createdAtS - one.createdAtS);
      change(voucher);
    },
    expected: () =>
      JSON.stringify({
        vouchers: scene.stored.slice(0, LIST_SIZE).map((voucher) => presentVoucher(voucher, scene.nowS)),
      }),
  };
}

test('the version is read before the vouchers, so that a change in between is detected', async () => {
  const { scene, listResponse } = makeScene();
  scene.onRead = () => {
    if (scene.reads === 1) scene.version++;
  };
  for (const expected of [1, 2, 2]) {
    await listResponse(site);
    assert.equal(scene.reads, expected);
  }
  await listResponse(site, { version: 3 });
  assert.equal(scene.reads, 3, 'a version that was read with the key counts as well');
});

test('a cached list keeps no more memory than its own bytes', async () => {
  const { listResponse, record } = makeScene([voucherOf(NOW_S)]);
  const made = await listResponse(site);
  record(voucherOf(NOW_S));
  for (const { body } of [made, await listResponse(site)]) {
    assert.ok(Buffer.isBuffer(body));
    assert.equal(body.buffer.byteLength, body.length);
  }
});

const anyVoucher = fc.record({
  code: fc.oneof(fc.stringMatching(/^\d{10}$/), fc.string()),
  name: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('{"voucher_code":', '"},{"voucher_code":"', ']}', ''),
  ),
  maxUses: fc.integer({ min: 0, max: 3 }),
  expireMinutes: fc.integer({ min: 1, max: 1_000_000 }),
  usedCount: fc.integer({ min: 0, max: 3 }),
  createdAtS: fc.integer({ min: NOW_S - 10, max: NOW_S }),
  firstUsedAtS: fc.option(fc.integer({ min: NOW_S - 1_000_000, max: NOW_S })),
  endedAtS: fc.option(fc.constant(NOW_S)),
  endsAtS: fc.option(fc.integer({ min: NOW_S - 1_000, max: NOW_S + 1_000 })),
});

const PROPERTY = fc.record({
  listed: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: LIST_SIZE - 3, max: LIST_SIZE })),
  steps: fc.array(
    fc.oneof(
      anyVoucher,
      fc.constantFrom('list', 'list', 'other change'),
      fc.integer({ min: 1, max: 100_000 }),
    ),
    { maxLength: 12 },
  ),
});

test('a list with recorded vouchers put in front has the bytes of a list made anew', async () => {
  await fc.assert(
    fc.asyncProperty(PROPERTY, async ({ listed, steps }) => {
      const stored = Array.from({ length: listed }, (_, index) => voucherOf(NOW_S - 5 - index));
      const { scene, listResponse, change, record, expected } = makeScene(stored);
      for (const step of [...steps, 'list']) {
        if (step === 'list') assert.equal(String((await listResponse(site)).body), expected());
        else if (step === 'other change') change();
        else if (typeof step === 'number') scene.nowS += step;
        else if (typeof step === 'object') record(step);
      }
    }),
    { numRuns: 300 },
  );
});

test('recorded vouchers are put in front without reading the list again, whichever way it is asked for', async () => {
  const { scene, listResponse, record, expected } = makeScene([voucherOf(NOW_S)]);
  const { reuse } = await listResponse(site);
  for (let count = 0; count < LIST_SIZE; count++) record(voucherOf(NOW_S, { code: `${count}` }));
  assert.equal(String(reuse?.again()?.body), expected());
  record(voucherOf(NOW_S, { code: 'last' }));
  const { headers, body, notModified } = await listResponse(site);
  assert.equal(String(body), expected());
  assert.equal(notModified?.headers.etag, headers.etag);
  assert.equal(scene.reads, 1);
});

test('a list is read again after another change, an older voucher, a gap in the versions or too many vouchers', async () => {
  const { scene, listResponse, change, record } = makeScene([voucherOf(NOW_S)]);
  const { reuse } = await listResponse(site);
  const changes = [
    () => change(),
    () => record(voucherOf(NOW_S - 1)),
    () => {
      scene.version++;
      record(voucherOf(NOW_S));
    },
    () => Array.from({ length: LIST_SIZE + 1 }, () => record(voucherOf(NOW_S))),
  ];
  for (const [index, step] of changes.entries()) {
    step();
    assert.equal(reuse?.again(), undefined);
    await listResponse(site);
    assert.equal(scene.reads, index + 2);
    assert.ok(reuse?.again());
  }
});

test('a voucher that is recorded while the list is read is not put in front a second time', async () => {
  const { scene, listResponse, record, expected } = makeScene([voucherOf(NOW_S)]);
  scene.onRead = () => {
    if (scene.reads === 1) record(voucherOf(NOW_S, { code: 'meanwhile' }));
  };
  await listResponse(site);
  record(voucherOf(NOW_S, { code: 'later' }));
  assert.equal(String((await listResponse(site)).body), expected());
});

test('a cached response is not repeated after a voucher in it has expired, nor before it was made', async () => {
  const { scene, listResponse, record } = makeScene();
  const { reuse } = await listResponse(site);
  record(voucherOf(NOW_S, { firstUsedAtS: NOW_S, expireMinutes: 1 }));
  for (const [nowS, isRepeated] of [
    [NOW_S, true],
    [NOW_S + 59, true],
    [NOW_S + 60, false],
    [NOW_S - 1, false],
  ] as const) {
    scene.nowS = nowS;
    assert.equal(reuse?.again() !== undefined, isRepeated, `at ${nowS - NOW_S} s`);
  }
});
