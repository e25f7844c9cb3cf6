// A service that is killed while a slow console makes the vouchers of its reserve. After the restart the reserve is
// filled, no voucher is in it twice, and the console has no voucher that Gastpass does not know.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { openInstallation } from '../../../src/app/installation.ts';
import { TESTER } from '../../support/actors.ts';
import { openRecords } from '../../support/engine.ts';
import { makeFolder, startGastpass } from '../../support/run-gastpass.ts';
import { configOf } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';

const WANTED = 120;
const LATENCY_MS = 1_000;
/** An order that never reached the console is forgotten after 80 seconds. Only then is it made again. */
const PATIENCE_MS = 180_000;

const { folder: dataDir, remove } = makeFolder();
after(remove);

test('a reserve that is being filled when the service is killed is complete after the restart', async (t) => {
  const console = await startSimulatedConsole({ latencyMs: LATENCY_MS });
  t.after(() => console.stop());
  const beside = await openInstallation(await configOf(dataDir));
  t.after(() => beside.close());
  const { url, apiKey, fingerprint256 } = console;
  const connection = { url, credentials: { apiKey }, trust: { kind: 'pinned' as const, fingerprint256 } };
  const kind = { controllerKind: 'unifi', controllerSite: 'default' } as const;
  const audit = { actor: TESTER, atMs: beside.clock.nowMs() };
  const siteId = await beside.sites.add({ name: 'Haus A', active: true, ...kind, connection }, audit);
  const records = openRecords(dataDir);
  records.change(
    'insert into site_reserves (site_id, wanted, profile_id) values (?, ?, null)',
    siteId,
    WANTED,
  );
  records.close();

  const environment = { GASTPASS_DEMO: '0', LOG_LEVEL: 'silent', SYNC_INTERVAL_S: '5' };
  const creations = () => console.controls.counters().requests.create ?? 0;
  for (let kills = 1; kills <= 2; kills++) {
    const killed = await startGastpass({ dataDir, environment });
    await until(() => creations() >= kills, { patienceMs: PATIENCE_MS });
    await killed.stop('SIGKILL');
  }

  const service = await startGastpass({ dataDir, environment });
  t.after(() => service.stop());
  await until(async () => (await beside.stock.findReserve(siteId)).ready === WANTED, {
    patienceMs: PATIENCE_MS,
  });
  const known = (await beside.stock.list()).map(({ code }) => code);
  assert.equal(new Set(known).size, WANTED);
  assert.deepEqual(
    console.controls
      .vouchers()
      .map(({ code }) => code)
      .sort(),
    known.sort(),
  );
  assert.equal(await beside.vouchers.countIntents(), 0);
});
