// PostgreSQL is restarted under load: no request gets a wrong response, everything soon works again, and the vouchers
// of the consoles and of the database are the same.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Fleet, startFleet } from '../../../rel/instances/fleet.ts';
import { RECOVERY_MS, type RestartReport, runRestart } from '../../../rel/instances/restarts.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { callApi } from '../../support/run-gastpass.ts';

const PATIENCE_MS = 30_000;
/** The instances count as recovered after this time without a failure. */
const WELL_MS = 2_000;

let server: PostgresServer;
before(async () => {
  // A separate server, because the test restarts it.
  server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url;
});
after(() => server.stop());

/** Resolves when every instance has handled orders and lists for a while without a failure. */
async function untilAllWork({ instances, issueKey, addConsole }: Fleet): Promise<void> {
  const key = await issueKey('write');
  const { siteId } = await addConsole('unifi');
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (let wellSince = performance.now(); performance.now() < wellSince + WELL_MS; ) {
    const responses = await Promise.all(
      instances.flatMap((instance) => [
        callApi(instance, { key, body: { site_id: siteId, name: 'Gast' } }),
        callApi(instance, { key, path: `vouchers.php?site_id=${siteId}` }),
      ]),
    );
    const statuses = responses.map(({ status }) => status);
    if (statuses.some((status) => status >= 300)) wellSince = performance.now();
    assert.ok(performance.now() < giveUpAt, `still ${statuses}`);
  }
}

for (const how of ['crash', 'in order'] as const)
  describe(`a restart of the database (${how})`, () => {
    let fleet: Fleet;
    let report: RestartReport;
    before(async () => {
      fleet = await startFleet(3);
      report = await runRestart(fleet, server, how);
    });
    after(() => fleet.stop());

    test('the restart interrupts running requests', (t) => {
      t.diagnostic(JSON.stringify({ ...report, wrong: report.wrong.length }));
      assert.ok((report.answers['POST 503'] ?? 0) + (report.answers['POST 500'] ?? 0) > 0);
    });

    test('responses during the restart are 503, or 500 with the reason if the voucher was already ordered', () => {
      assert.deepEqual([...new Set(report.wrong)], []);
    });

    test('everything works again soon', async () => {
      // The run stops watching after RECOVERY_MS; a busy machine may need longer, so the test keeps checking.
      if (report.recoveredMs > RECOVERY_MS) await untilAllWork(fleet);
    });

    test('no voucher is lost, duplicated or orphaned', () => {
      assert.deepEqual(report.faults, []);
    });
  });
