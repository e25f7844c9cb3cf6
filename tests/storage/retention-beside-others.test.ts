// Tests retention at the same time as other writes: a voucher that starts to work again while it is about to be deleted
// stays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRetentionStore } from '../../src/kernel/vouchers/storage/retention-store.ts';
import { makeUsageStore } from '../../src/kernel/vouchers/storage/usage-store.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, NOW_MS, sampleUpstream } from './samples.ts';
import { untilOneWaits } from './until-one-waits.ts';

const LIMIT_S = Math.floor(NOW_MS / 1_000);

onEveryEngine('retention during a sync', (database) => {
  test('a voucher that reappears on the controller while a slice waits for its row is not deleted', async () => {
    const site = await addSite(database());
    const usage = makeUsageStore(database());
    const createdAtMs = NOW_MS - 120_000;
    await usage.importForeign(
      site,
      ['back', 'gone'].map((id) => ({ ...sampleUpstream(id), createdAtMs })),
    );
    const known = await usage.findKnown(site, ['back', 'gone']);
    const gone = { endedAtS: LIMIT_S - 60, missingSinceS: LIMIT_S - 60 };
    await usage.change(
      site,
      known.map((voucher) => ({ ...voucher, ...gone })),
    );
    const changed = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const comingBack = database().write(async (transaction) => {
      await transaction
        .updateTable('vouchers')
        .set({ ended_at_s: null, missing_since_s: null })
        .where('controller_voucher_id', '=', 'back')
        .execute();
      changed.resolve();
      await release.promise;
    });
    await changed.promise;
    const forgetting = makeRetentionStore(database())
      .begin({ nowMs: NOW_MS, runningMs: 0 }, () => true)
      .forgetVouchers(LIMIT_S);
    // On PostgreSQL the slice has selected its rows and waits for a row that the other transaction has changed.
    await untilOneWaits(database());
    release.resolve();
    await comingBack;
    assert.equal(await forgetting, 1);
    const kept = await usage.findKnown(site, ['back', 'gone']);
    assert.deepEqual(
      kept.map(({ controllerVoucherId }) => controllerVoucherId),
      ['back'],
    );
  });
});
