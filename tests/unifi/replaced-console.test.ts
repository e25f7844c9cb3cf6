// Tests that a sync draws no conclusion from the lists of a console that has none of our vouchers, and that vouchers
// that were really deleted are still noticed.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openSyncedSite, TESTED_DRIVERS } from './sync/synced-site.ts';

const LONG_MS = 10 * 60_000;
const MANY = 60;

for (const driver of TESTED_DRIVERS)
  describe(`${driver.kind} on ${driver.flavour}`, () => {
    test('the lists of a console that was set up anew end no voucher and import none', async () => {
      await using site = await openSyncedSite(driver);
      const codes = [await site.make('Zimmer 1'), await site.make('Zimmer 2')];
      site.clock.advance(LONG_MS);
      for (const code of codes) assert.ok(site.controls.remove({ code }));
      site.controls.fill({ count: 5, note: 'of others' });
      const before = site.dump();
      for (let times = 0; times < 3; times++) {
        const synced = await site.trySync();
        assert.equal(synced?.ok ? undefined : synced?.problem.cause, 'other-console');
        site.clock.advance(LONG_MS);
      }
      assert.deepEqual(site.changesSince(before), []);
      assert.equal(site.lastSync()?.cause, 'other-console');

      const fresh = await site.make('Zimmer 3');
      assert.partialDeepStrictEqual(await site.sync(), { gone: 2, imported: 5 });
      for (const code of codes) assert.equal((await site.shown(code)).status, 'expired');
      assert.equal((await site.shown(fresh)).status, 'valid');
    });

    test('vouchers missing from two complete lists are gone if another of ours is listed', async () => {
      await using site = await openSyncedSite(driver);
      site.controls.fill({ count: MANY, note: 'Tagung' });
      await site.sync();
      const kept = await site.make('bleibt');
      site.clock.advance(LONG_MS);
      for (const { code } of site.controls.vouchers()) if (code !== kept) site.controls.remove({ code });
      assert.partialDeepStrictEqual(await site.sync(), { listed: 1, gone: MANY });
      assert.equal((await site.shown(kept)).status, 'valid');
    });

    test('expired vouchers may all be gone: the sync does not fail', async () => {
      await using site = await openSyncedSite(driver);
      await site.setImport(false);
      const code = await site.make('vorbei', { max_uses: 2, expire_minutes: 5 });
      assert.ok(site.controls.redeem({ code }).ok);
      await site.sync();
      site.clock.advance(LONG_MS);
      assert.ok(site.controls.remove({ code }));
      site.controls.fill({ count: 2 });
      assert.partialDeepStrictEqual(await site.sync(), { listed: 2, gone: 1 });
    });

    if (driver.kind === 'unifi-classic')
      test('a guest who used one of our vouchers shows that the console is ours', async () => {
        await using site = await openSyncedSite(driver);
        await site.setImport(false);
        const code = await site.make('Gast', { expire_minutes: 60 });
        site.clock.advance(LONG_MS);
        site.controls.switches.singleUseDisappears = true;
        assert.ok(site.controls.redeem({ code }).ok);
        site.controls.fill({ count: 2 });
        assert.partialDeepStrictEqual(await site.sync(), { listed: 2, changed: 1, gone: 0 });
        assert.equal((await site.shown(code)).status, 'used');
      });
  });
