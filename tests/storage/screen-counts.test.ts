// Tests how the vouchers of screens are counted, on every engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeScreenStore } from '../../src/features/screens/screen-store.ts';
import { asScreenId } from '../../src/kernel/ids.ts';
import { insertVoucherUnlessTaken } from '../../src/kernel/vouchers/storage/voucher-queries.ts';
import { TESTER } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, sampleUpstream, seal } from './samples.ts';

const DAY_S = 24 * 60 * 60;

onEveryEngine('the vouchers of screens', (database) => {
  test('only vouchers of the last 24 hours count, each for its screen', async () => {
    const siteId = await addSite(database());
    const nowS = Math.floor(Date.now() / 1000);
    const made = [
      [asScreenId(1), nowS - 10],
      [asScreenId(1), nowS - DAY_S + 60],
      [asScreenId(1), nowS - DAY_S - 60],
      [asScreenId(2), nowS],
      [asScreenId(3), nowS],
      [null, nowS],
    ] as const;
    await database().write(async (transaction) => {
      for (const [index, [screenId, createdAtS]] of made.entries()) {
        const upstream = sampleUpstream(`u-${index}`);
        const voucher = { siteId, actor: TESTER, code: '0482715936', upstream };
        await insertVoucherUnlessTaken(transaction, {
          ...voucher,
          createdAtS,
          ...(screenId !== null && { screenId }),
        });
      }
    });
    const [lobby, bar, gone] = [asScreenId(1), asScreenId(2), asScreenId(9)];
    const screens = makeScreenStore(database(), seal);
    assert.deepEqual(
      await screens.countVouchers([lobby, bar, gone]),
      new Map([
        [lobby, 2],
        [bar, 1],
      ]),
    );
    assert.deepEqual(await screens.countVouchers([]), new Map());
  });
});
