// A sync while other things happen: vouchers that are made or deleted meanwhile, a service that syncs by
// itself and is stopped in the middle of it, and a sync that finds nothing new.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../../src/unifi-console/faults/fault-list.ts';
import { DRIVERS, type Driver, openSyncedSite } from './synced-site.ts';

const SLOW_MS = 2_000;
/** The longest a list is held back until an order is recorded meanwhile. */
const SLOWEST_MS = 16_000;
const LONG_MS = 10 * 60_000;
const STOPPED_WITHIN_MS = 20_000;
/** The shortest there is. */
const EAGER = { SYNC_INTERVAL_S: '5' };
const OFFICIAL: Driver = { kind: 'unifi', flavour: 'unifi-os' };

// They mostly wait. But each has a service and a console with TLS in this one process: all at once they would keep each
// other waiting for longer than the answers that are to be slow.
const beside = { concurrency: 4 };
const inTurn = { concurrency: false };

/** False when the sync was over before the order was recorded. */
async function orderDuringSync(driver: Driver, slowMs: number): Promise<boolean> {
  await using site = await openSyncedSite(driver);
  await site.make('vorher');
  const text = site.listOf(site.controls.vouchers());
  const asked = site.setFault({ match: 'list', kind: 'late-answer', ms: slowMs });
  let isRunning = true;
  const syncing = site.sync().finally(() => {
    isRunning = false;
  });
  await asked;
  const code = await site.make('währenddessen');
  if (!isRunning) return false;
  // Whoever looks again is told the same.
  site.controls.setFault({ match: 'list', kind: 'wrong-json', text });
  assert.deepEqual(await syncing, { listed: 1, changed: 0, gone: 0, imported: 0 });
  assert.equal((await site.shown(code)).status, 'valid');
  return true;
}

describe('a sync while other things happen', beside, () => {
  for (const driver of DRIVERS)
    describe(`${driver.kind} on ${driver.flavour}`, inTurn, () => {
      test('a voucher recorded while the console is being listed is not called gone', async () => {
        // Where the list was over before the order was recorded they did not meet: again, with a slower list.
        let slowMs = SLOW_MS / 2;
        while (!(await orderDuringSync(driver, slowMs))) {
          slowMs *= 2;
          assert.ok(slowMs <= SLOWEST_MS, 'no order was recorded while a list was under way');
        }
      });

      test('a sync that finds nothing new writes nothing but when it was', async () => {
        await using site = await openSyncedSite(driver);
        const code = await site.make('Zimmer 12', { max_uses: 2 });
        site.controls.fill({ count: 3, note: 'Tagung' });
        assert.ok(site.controls.redeem({ code }).ok);
        await site.sync();
        const etag = (await site.list()).headers.get('etag');
        const before = site.dump();

        site.clock.advance(60_000);
        await site.forbidWrites();
        assert.deepEqual(await site.sync(), { listed: 4, changed: 0, gone: 0, imported: 0 });
        assert.deepEqual(site.changesSince(before), []);
        assert.equal(site.lastSync()?.synced_at_ms, site.clock.nowMs());
        assert.equal((await site.list()).headers.get('etag'), etag);

        // The writes that are forbidden are those a sync makes.
        assert.ok(site.controls.redeem({ code }).ok);
        await assert.rejects(site.sync(), /written: vouchers/);
      });

      test('the service syncs by itself', async () => {
        await using site = await openSyncedSite(driver, EAGER);
        const code = await site.make('Zimmer 12');
        assert.ok(site.controls.redeem({ code }).ok);
        const [foreign] = site.controls.fill({ note: 'Tagung' });
        const isDone = async () =>
          (await site.shown(code)).status === 'used' && (await site.shown(foreign?.code ?? ''));
        while (!(await isDone())) {
          // Whether a sync is due is a question of the clock.
          site.clock.advance(5_000);
          await sleep(50);
        }
      });

      const silences: Fault[] = [{ kind: 'hang-before-write' }, { kind: 'drip' }];
      for (const fault of silences)
        test(`a service that is stopped while a list never ends (${fault.kind}) ends, and notes no failure`, async () => {
          await using site = await openSyncedSite(driver, EAGER);
          await site.make('Zimmer 12');
          let isMet = false;
          void site.setFault({ match: 'list', times: 'always', ...fault }).then(() => {
            isMet = true;
          });
          while (!isMet) {
            // Whether a sync is due is a question of the clock.
            site.clock.advance(5_000);
            await sleep(50);
          }
          const stoppedAt = performance.now();
          await site.stopService();
          assert.ok(performance.now() - stoppedAt < STOPPED_WITHIN_MS);
          assert.equal(site.lastSync()?.failed_at_ms ?? null, null);
          assert.deepEqual(
            site.service.logLines.filter(({ level }) => level === 'warn' || level === 'error'),
            [],
          );
        });
    });

  test('a voucher that the console does not list in its first moments is not called gone', async () => {
    await using site = await openSyncedSite(OFFICIAL);
    await site.make('vorher');
    site.controls.setFault({ match: 'create', kind: 'slow-to-appear', ms: 500 });
    const code = await site.make('eben erst');
    assert.deepEqual(await site.sync(), { listed: 1, changed: 0, gone: 0, imported: 0 });
    assert.equal((await site.shown(code)).status, 'valid');
    site.clock.advance(1_000);
    assert.deepEqual(await site.sync(), { listed: 2, changed: 0, gone: 0, imported: 0 });
  });

  test('pages that shift while vouchers are deleted hide none from the sync', async () => {
    await using site = await openSyncedSite(OFFICIAL);
    site.controls.fill({ count: 1_200, note: 'Tagung' });
    await site.sync();
    site.clock.advance(LONG_MS);
    const asked = site.setFault({ match: 'list', kind: 'latency', skip: 1, ms: SLOW_MS });
    const syncing = site.sync();
    await asked;
    // The second page now begins fifty vouchers further on.
    for (const voucher of site.controls.vouchers().slice(0, 50)) assert.ok(site.controls.remove(voucher));
    assert.deepEqual(await syncing, { listed: 1_150, changed: 0, gone: 0, imported: 0 });
    assert.deepEqual(await site.sync(), { listed: 1_150, changed: 0, gone: 50, imported: 0 });
  });
});
