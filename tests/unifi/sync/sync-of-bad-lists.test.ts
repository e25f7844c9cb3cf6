// Tests that a sync changes no records if the console fails, breaks off or lists nothing, and that the next complete
// list brings all changes.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Fault } from '../../../packages/unifi-console/src/index.ts';
import { openSyncedSite, type SyncedSite, TESTED_DRIVERS } from './synced-site.ts';

/** More vouchers than fit on a page of the official API. The classic API has no pages. */
const PAGED_VOUCHERS = 1_100;
const CLASSIC_VOUCHERS = 50;
const PAGES = 2;
const NEXT_LOGIN_MS = 61_000;
const LONG_MS = 10 * 60_000;

const failures: Fault[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 404, body: 'html' },
  { kind: 'restarting' },
  { kind: 'rate-limited' },
  { kind: 'no-permission' },
  { kind: 'unauthorized' },
  { kind: 'wrong-site' },
  { kind: 'rc-error' },
  { kind: 'redirect' },
  { kind: 'html' },
  { kind: 'empty' },
  { kind: 'garbage' },
  { kind: 'wrong-json' },
  { kind: 'truncated-json' },
  { kind: 'trailing-garbage' },
  { kind: 'huge' },
  { kind: 'not-http' },
  { kind: 'cut-before-write' },
  { kind: 'cut-mid-answer' },
];

const guestFailures = ['status', 'html', 'truncated-json', 'rc-error', 'cut-mid-answer'] as const;

for (const driver of TESTED_DRIVERS)
  describe(`${driver.kind} on ${driver.flavour}`, () => {
    const isPaged = driver.kind === 'unifi';
    const vouchers = isPaged ? PAGED_VOUCHERS : CLASSIC_VOUCHERS;
    /** The number of requests before the last request of a complete read of the list. */
    const halfWay = isPaged ? PAGES - 1 : 0;
    const oneLook = isPaged ? PAGES : 1;
    let site: SyncedSite;
    before(async () => {
      site = await openSyncedSite(driver);
      site.controls.fill({ count: vouchers, note: 'Tagung', quota: 2 });
      assert.equal((await site.sync()).imported, vouchers);
      site.clock.advance(LONG_MS);
      // One voucher of the first page is used, the last voucher is deleted, and one voucher is new.
      const [used, ...rest] = site.controls.vouchers();
      assert.ok(used && site.controls.redeem(used).ok);
      assert.ok(site.controls.remove(rest.at(-1) ?? used));
      site.controls.fill({ note: 'neu' });
    });
    afterEach(() => {
      site.controls.resetFaults();
      site.clock.advance(NEXT_LOGIN_MS);
    });
    after(() => site[Symbol.asyncDispose]());

    async function assertFails(fault: Fault): Promise<void> {
      const before = site.dump();
      const succeededAt = site.lastSync()?.synced_at_ms;
      site.controls.setFault({ match: 'list', times: 'always', ...fault });
      const synced = await site.trySync();
      assert.ok(synced && !synced.ok);
      assert.deepEqual(site.changesSince(before), []);
      assert.partialDeepStrictEqual(
        { ...site.lastSync() },
        { synced_at_ms: succeededAt, failed_at_ms: site.clock.nowMs(), error: synced.problem.text },
      );
    }

    for (const fault of failures) {
      const { kind, status = '' } = fault;
      test(`a list that fails half-way (${kind} ${status}) changes nothing`, () =>
        assertFails({ ...fault, skip: halfWay }));
    }

    test('if the second read of the list fails, no voucher is marked as missing, but uses are kept', async () => {
      for (const fault of [
        { kind: 'status', skip: oneLook },
        { kind: 'cut-mid-answer', skip: oneLook + halfWay },
      ] as const) {
        site.controls.resetFaults();
        site.controls.setFault({ match: 'list', times: 'always', ...fault });
        assert.equal((await site.trySync())?.ok, false);
        const missing = 'select count(*) as count from vouchers where missing_since_s is not null';
        assert.equal(site.service.rows(missing)[0]?.count, 0);
      }
      const used = 'select count(*) as count from vouchers where used_count > 0';
      assert.equal(site.service.rows(used)[0]?.count, 1);
    });

    if (isPaged)
      test('an empty page before the end counts as a failed list', () =>
        assertFails({ kind: 'list-ends-early', skip: halfWay }));

    test('the console’s error text is stored with its secrets masked', async () => {
      const text = 'password=hunter22 is no good';
      site.controls.setFault({ match: 'list', kind: 'status', text, times: 'always' });
      assert.equal((await site.trySync())?.ok, false);
      assert.match(String(site.lastSync()?.error), /the controller failed \(500\): password=\*+ is no good$/);
    });

    test('an empty list changes nothing and does not count as a failure', async () => {
      const before = site.dump();
      site.controls.setFault({ match: 'list', kind: 'without-voucher', times: 'always' });
      assert.deepEqual(await site.sync(), { listed: 0, changed: 0, gone: 0, imported: 0 });
      assert.deepEqual(site.changesSince(before), []);
      assert.equal(site.lastSync()?.synced_at_ms, site.clock.nowMs());
    });

    if (!isPaged)
      for (const kind of guestFailures)
        test(`if the guests cannot be listed (${kind}), a voucher missing from the list stays unchanged`, async () => {
          const code = await site.make(`Gast ${kind}`);
          site.clock.advance(LONG_MS);
          site.controls.switches.singleUseDisappears = true;
          assert.ok(site.controls.redeem({ code }).ok);
          site.controls.switches.singleUseDisappears = false;
          const before = await site.shown(code);
          site.controls.setFault({ match: 'guests', kind, times: 'always' });
          assert.equal((await site.trySync())?.ok, false);
          assert.deepEqual(await site.shown(code), before);
        });

    test('the next complete list brings all changes', async () => {
      const guests = isPaged ? 0 : guestFailures.length;
      assert.deepEqual(await site.sync(), { listed: vouchers, changed: guests, gone: 1, imported: 0 });
    });
  });

test('an empty second page marks no voucher as missing, although the list claims to be complete', async () => {
  await using site = await openSyncedSite({ kind: 'unifi', flavour: 'unifi-os' });
  site.controls.fill({ count: PAGED_VOUCHERS });
  await site.sync();
  site.clock.advance(LONG_MS);
  const before = site.dump();
  const empty = { match: 'list', kind: 'without-voucher' } as const;
  // The second page of the first read, then of the second read.
  site.controls.setFault({ ...empty, skip: 1 });
  site.controls.setFault({ ...empty, skip: 2 });
  await site.trySync();
  assert.deepEqual(site.changesSince(before), []);
});
