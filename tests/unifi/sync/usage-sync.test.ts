// Tests that a sync brings back what guests do with vouchers on a UniFi console (uses, status, end), and how it treats
// vouchers that the console no longer lists.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { openSyncedSite, type SyncedSite, TESTED_DRIVERS } from './synced-site.ts';

const MINUTE_MS = 60_000;
const NOTHING = { changed: 0, gone: 0, imported: 0 };

const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');

for (const driver of TESTED_DRIVERS)
  describe(`${driver.kind} on ${driver.flavour}`, () => {
    let site: SyncedSite;
    before(async () => {
      site = await openSyncedSite(driver);
      await site.make('bleibt');
    });
    afterEach(() => site.controls.resetFaults());
    after(() => site[Symbol.asyncDispose]());

    async function check(code: string, expected: Record<string, unknown>): Promise<void> {
      assert.partialDeepStrictEqual(await site.shown(code), expected);
    }

    test('uses are shown after the next sync, and the validity starts with the first use', async () => {
      const { clock, controls } = site;
      const code = await site.make('Zimmer 12', { max_uses: 3, expire_minutes: 60 });
      clock.advance(10 * MINUTE_MS);
      const expires_at = iso(clock.nowMs() + 60 * MINUTE_MS);
      assert.ok(controls.redeem({ code }).ok);
      await check(code, { status: 'valid', used_count: 0, expires_at: null });
      assert.partialDeepStrictEqual(await site.sync(), { ...NOTHING, changed: 1 });
      await check(code, { status: 'valid', used_count: 1, expires_at });

      clock.advance(5 * MINUTE_MS);
      assert.ok(controls.redeem({ code, devices: 2 }).ok);
      assert.partialDeepStrictEqual(await site.sync(), { ...NOTHING, changed: 1 });
      await check(code, { status: 'used', used_count: 3, expires_at });

      clock.advance(55 * MINUTE_MS - 1_000);
      await check(code, { status: 'used' });
      clock.advance(1_000);
      await check(code, { status: 'expired', used_count: 3, expires_at });
      assert.partialDeepStrictEqual(await site.sync(), NOTHING);
      await check(code, { status: 'expired', used_count: 3, expires_at });
    });

    test('an unused voucher stays valid and has no expiry, however old it is', async () => {
      const code = await site.make('Vorrat', { expire_minutes: 5 });
      site.clock.advance(30 * 24 * 60 * MINUTE_MS);
      assert.partialDeepStrictEqual(await site.sync(), NOTHING);
      await check(code, { status: 'valid', used_count: 0, expires_at: null });
    });

    test('a voucher deleted on the console is expired from then on and keeps its uses', async () => {
      const [unused, twice] = [await site.make('weg'), await site.make('weg', { max_uses: 2 })];
      assert.ok(site.controls.redeem({ code: twice }).ok);
      await site.sync();
      site.clock.advance(10 * MINUTE_MS);
      for (const code of [unused, twice]) assert.ok(site.controls.remove({ code }));
      assert.partialDeepStrictEqual(await site.sync(), { ...NOTHING, gone: 2 });
      await check(unused, { status: 'expired', used_count: 0, expires_at: null });
      await check(twice, { status: 'expired', used_count: 1 });

      const before = site.dump();
      site.clock.advance(MINUTE_MS);
      assert.partialDeepStrictEqual(await site.sync(), NOTHING);
      assert.deepEqual(site.changesSince(before), [], 'a missing voucher is not reported again');
    });

    test('a used voucher that the console no longer lists does not count as deleted', async () => {
      const code = await site.make('einmal', { expire_minutes: 30 });
      assert.ok(site.controls.redeem({ code }).ok);
      const expires_at = iso(site.clock.nowMs() + 30 * MINUTE_MS);
      await site.sync();
      site.clock.advance(10 * MINUTE_MS);
      assert.ok(site.controls.remove({ code }));
      site.controls.resetCounters();
      assert.partialDeepStrictEqual(await site.sync(), { ...NOTHING, changed: 1 });
      assert.equal(site.controls.counters().requests.guests, undefined, 'the guests need not be listed');
      await check(code, { status: 'used', used_count: 1, expires_at });
      site.clock.advance(20 * MINUTE_MS);
      await check(code, { status: 'expired', used_count: 1, expires_at });
    });

    test('a voucher that the console lists again gets its previous status, and its uses count again', async () => {
      const code = await site.make('zurück', { max_uses: 2 });
      assert.ok(site.controls.redeem({ code }).ok);
      await site.sync();
      site.clock.advance(10 * MINUTE_MS);
      const others = site.controls.vouchers().filter((voucher) => voucher.code !== code);
      const text = site.listOf(others);
      site.controls.setFault({ match: 'list', kind: 'wrong-json', text, times: 2 });
      assert.partialDeepStrictEqual(await site.sync(), { ...NOTHING, gone: 1 });
      await check(code, { status: 'expired', used_count: 1 });

      assert.partialDeepStrictEqual(await site.sync(), { ...NOTHING, changed: 1 });
      await check(code, { status: 'valid', used_count: 1 });
      assert.ok(site.controls.redeem({ code }).ok);
      assert.partialDeepStrictEqual(await site.sync(), { ...NOTHING, changed: 1 });
      await check(code, { status: 'used', used_count: 2 });
    });

    test('a voucher missing from a single list is looked up again and not marked as missing', async () => {
      const code = await site.make('übersehen');
      site.clock.advance(10 * MINUTE_MS);
      const others = site.controls.vouchers().filter((voucher) => voucher.code !== code);
      const before = site.dump();
      site.controls.setFault({ match: 'list', kind: 'wrong-json', text: site.listOf(others) });
      assert.partialDeepStrictEqual(await site.sync(), NOTHING);
      site.controls.setFault({ match: 'list', kind: 'wrong-json', text: site.listOf(others) });
      site.controls.setFault({ match: 'list', kind: 'without-voucher', times: 'always' });
      assert.partialDeepStrictEqual(
        await site.sync(),
        NOTHING,
        'the voucher is not marked as missing if the second list is empty',
      );
      assert.deepEqual(site.changesSince(before), []);
      await check(code, { status: 'valid' });
    });

    if (driver.kind === 'unifi-classic')
      test('a single-use voucher that leaves the list when used is shown as used, later as expired', async () => {
        const { clock, controls } = site;
        controls.switches.singleUseDisappears = true;
        const used = await site.make('Gast', { expire_minutes: 60 });
        const deleted = await site.make('Gast', { expire_minutes: 60 });
        clock.advance(10 * MINUTE_MS);
        const expires_at = iso(clock.nowMs() + 60 * MINUTE_MS);
        assert.ok(controls.redeem({ code: used }).ok && controls.remove({ code: deleted }));
        clock.advance(MINUTE_MS);
        controls.resetCounters();
        assert.partialDeepStrictEqual(await site.sync(), { ...NOTHING, changed: 1, gone: 1 });
        await check(used, { status: 'used', used_count: 1, expires_at });
        await check(deleted, { status: 'expired', used_count: 0, expires_at: null });

        assert.partialDeepStrictEqual(await site.sync(), NOTHING);
        assert.equal(controls.counters().requests.guests, 1, 'the guests are listed once');
        clock.advance(59 * MINUTE_MS);
        await check(used, { status: 'expired', used_count: 1, expires_at });
        controls.switches.singleUseDisappears = false;
      });
  });
