// Tests a sync during other events: vouchers created or deleted meanwhile, a service that syncs by itself and is
// stopped during a sync, and a sync that finds nothing new.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Fault } from '../../../packages/unifi-console/src/index.ts';
import { until } from '../../support/until.ts';
import { type Driver, openSyncedSite, TESTED_DRIVERS } from './synced-site.ts';

const SLOW_MS = 2_000;
/** The longest delay of a list during which an order must be recorded. */
const SLOWEST_MS = 16_000;
const LONG_MS = 10 * 60_000;
const STOPPED_WITHIN_MS = 20_000;
/** The shortest interval allowed. */
const EAGER = { SYNC_INTERVAL_S: '5' };
const OFFICIAL: Driver = { kind: 'unifi', flavour: 'unifi-os' };

// The tests mostly wait, but each runs a service and a console with TLS in this process. All at once they would delay
// each other by more than the simulated delays.
const beside = { concurrency: 4 };
const inTurn = { concurrency: false };

/** Returns false if the sync ended before the order was recorded. */
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
  // A second read of the list gets the same content.
  site.controls.setFault({ match: 'list', kind: 'wrong-json', text });
  assert.deepEqual(await syncing, { listed: 1, changed: 0, gone: 0, imported: 0 });
  assert.equal((await site.shown(code)).status, 'valid');
  return true;
}

describe('a sync during other events', beside, () => {
  for (const driver of TESTED_DRIVERS)
    describe(`${driver.kind} on ${driver.flavour}`, inTurn, () => {
      test('a voucher recorded while the list is being read is not marked as missing', async () => {
        // If the sync ended before the order was recorded, the two did not overlap. Repeat with a slower list.
        let slowMs = SLOW_MS / 2;
        while (!(await orderDuringSync(driver, slowMs))) {
          slowMs *= 2;
          assert.ok(slowMs <= SLOWEST_MS, 'no order was recorded while a list was being read');
        }
      });

      test('a sync that finds nothing new writes only its time', async () => {
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

        // Check that the forbidden writes include the writes of a sync.
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
        await until(
          async () => {
            // The clock decides whether a sync is due.
            site.clock.advance(5_000);
            return isDone();
          },
          { everyMs: 50 },
        );
      });

      const silences: Fault[] = [{ kind: 'hang-before-write' }, { kind: 'drip' }];
      for (const fault of silences)
        test(`a service stopped during an endless list (${fault.kind}) stops and records no failure`, async () => {
          await using site = await openSyncedSite(driver, EAGER);
          await site.make('Zimmer 12');
          let isMet = false;
          void site.setFault({ match: 'list', times: 'always', ...fault }).then(() => {
            isMet = true;
          });
          await until(
            () => {
              // The clock decides whether a sync is due.
              site.clock.advance(5_000);
              return isMet;
            },
            { everyMs: 50 },
          );
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

  test('a voucher that the console does not list in its first moments is not marked as missing', async () => {
    await using site = await openSyncedSite(OFFICIAL);
    await site.make('vorher');
    site.controls.setFault({ match: 'create', kind: 'slow-to-appear', ms: 500 });
    const code = await site.make('eben erst');
    assert.deepEqual(await site.sync(), { listed: 1, changed: 0, gone: 0, imported: 0 });
    assert.equal((await site.shown(code)).status, 'valid');
    site.clock.advance(1_000);
    assert.deepEqual(await site.sync(), { listed: 2, changed: 0, gone: 0, imported: 0 });
  });

  test('pages that shift while vouchers are deleted hide no voucher from the sync', async () => {
    await using site = await openSyncedSite(OFFICIAL);
    site.controls.fill({ count: 1_200, note: 'Tagung' });
    await site.sync();
    site.clock.advance(LONG_MS);
    const asked = site.setFault({ match: 'list', kind: 'latency', skip: 1, ms: SLOW_MS });
    const syncing = site.sync();
    await asked;
    // The second page now begins fifty vouchers later.
    for (const voucher of site.controls.vouchers().slice(0, 50)) assert.ok(site.controls.remove(voucher));
    assert.deepEqual(await syncing, { listed: 1_150, changed: 0, gone: 0, imported: 0 });
    assert.deepEqual(await site.sync(), { listed: 1_150, changed: 0, gone: 50, imported: 0 });
  });
});
