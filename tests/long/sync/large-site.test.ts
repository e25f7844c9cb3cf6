// A process with little memory syncs a site with 50,000 vouchers in one pass: with some new vouchers, and with some
// used vouchers. bench/sync.ts measures the case in which all vouchers are new.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StoredVoucher } from '../../../packages/unifi-console/src/index.ts';
import { engine } from '../../support/engine.ts';
import { runGastpass } from '../../support/run-gastpass.ts';
import { DRIVERS, openSyncedSite, type SyncedSite } from '../../unifi/sync/synced-site.ts';

const VOUCHERS = 50_000;
const PER_PAGE = 1_000;
const MEMORY_MB = 48;
/**
 * On PostgreSQL the young generation is limited too: while the process waits for the server, it collects garbage, and
 * with a large young generation this never ends.
 */
const YOUNG = engine === 'sqlite' ? [] : ['--max-semi-space-size=4'];
/** The number of vouchers that are new, and used later; all others are recorded from the start. */
const WRITTEN = 500;

/** Records vouchers as a sync would, in one statement. */
function record({ service, id }: SyncedSite, kind: string, vouchers: StoredVoucher[]): void {
  const known = vouchers.map(({ uuid, id, code }) => ({ code, known_as: kind === 'unifi' ? uuid : id }));
  const field = (name: string) => `value ->> '${name}'`;
  service.change(
    `insert into vouchers (site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
       controller_voucher_id, used_count, created_at_s)
     select ${id}, ${field('code')}, 'Tagung', 2, 60, 0, 0, 0, ${field('known_as')}, 0, 0
     from ${engine === 'sqlite' ? 'json_each(?)' : 'json_array_elements(?) as each (value)'}`,
    JSON.stringify(known),
  );
  service.change('analyze vouchers');
}

/**
 * Reading a list does not depend on the engine: SQLite is tested with the driver that gets the list in one response,
 * PostgreSQL with the driver that gets it in pages.
 */
const drivers = engine === 'sqlite' ? DRIVERS.slice(1, 2) : DRIVERS.slice(0, 1);

for (const driver of drivers)
  describe(`${driver.kind} on ${driver.flavour}`, () => {
    test(`${VOUCHERS} vouchers are synced in one pass with a heap of ${MEMORY_MB} MB`, async (t) => {
      await using site = await openSyncedSite(driver);
      const { dataDir } = site.service.config;
      const nodeOptions = [`--max-old-space-size=${MEMORY_MB}`, ...YOUNG];

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
      const isWritten = (_: unknown, index: number) => index % (VOUCHERS / WRITTEN) === 0;
      const known = made.filter((voucher, index) => !isWritten(voucher, index));
      if (known.length > 0) record(site, driver.kind, known);
      assert.deepEqual(await sync(), { listed: VOUCHERS, changed: 0, gone: 0, imported: WRITTEN });
      assert.equal(lists(), onePass);

      for (const { code } of made.filter(isWritten)) assert.ok(site.controls.redeem({ code }).ok);
      assert.deepEqual(await sync(), { listed: VOUCHERS, changed: WRITTEN, gone: 0, imported: 0 });
    });
  });
