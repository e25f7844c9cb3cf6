// A site with fifty thousand vouchers is synced in one pass by a process that has little memory: when all of
// them are new, and when all of them were used.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runGastpass } from '../support/run-gastpass.ts';
import { DRIVERS, openSyncedSite } from './synced-site.ts';

const VOUCHERS = 50_000;
const PER_PAGE = 1_000;
const MEMORY_MB = 48;

for (const driver of DRIVERS.slice(0, 2))
  describe(`${driver.kind} on ${driver.flavour}`, () => {
    test(`${VOUCHERS} vouchers are synced in one pass with ${MEMORY_MB} MB for its objects`, async (t) => {
      await using site = await openSyncedSite(driver);
      const { dataDir } = site.service.config;
      const nodeOptions = [`--max-old-space-size=${MEMORY_MB}`];

      async function sync(): Promise<Record<string, unknown>> {
        const startedAt = performance.now();
        site.controls.resetCounters();
        const { code, stdout, stderr } = await runGastpass(['sync', '--json'], { dataDir, nodeOptions });
        assert.equal(code, 0, stderr);
        const { problem, name, id, ...tally } = JSON.parse(stdout)[0];
        t.diagnostic(`${JSON.stringify(tally)} in ${Math.round(performance.now() - startedAt)} ms`);
        return tally;
      }
      const lists = () => site.controls.counters().requests.list;
      const onePass = driver.kind === 'unifi' ? VOUCHERS / PER_PAGE : 1;

      const made = site.controls.fill({ count: VOUCHERS, note: 'Tagung', quota: 2 });
      assert.deepEqual(await sync(), { listed: VOUCHERS, changed: 0, gone: 0, imported: VOUCHERS });
      assert.equal(lists(), onePass);

      for (const { code } of made) assert.ok(site.controls.redeem({ code }).ok);
      assert.deepEqual(await sync(), { listed: VOUCHERS, changed: VOUCHERS, gone: 0, imported: 0 });
    });
  });
