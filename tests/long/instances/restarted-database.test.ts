// PostgreSQL is restarted under load: nobody gets a wrong answer meanwhile, all works again soon, and the
// consoles and our records agree to the voucher.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Fleet, startFleet } from '../../../rel/instances/fleet.ts';
import { RECOVERY_MS, type RestartReport, runRestart } from '../../../rel/instances/restarts.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { callApi } from '../../support/run-gastpass.ts';

const PATIENCE_MS = 30_000;
/** Who has been well for so long has recovered. */
const WELL_MS = 2_000;

let server: PostgresServer;
before(async () => {
  // Nobody else's: it is about to be ended.
  server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url;
});
after(() => server.stop());

/** Resolves when every instance has taken orders and shown lists for a while, and none has failed. */
async function untilAllWork({ instances, issueKey, addConsole }: Fleet): Promise<void> {
  const key = await issueKey('write');
  const { siteId } = await addConsole('unifi');
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (let wellSince = performance.now(); performance.now() < wellSince + WELL_MS; ) {
    const answers = await Promise.all(
      instances.flatMap((instance) => [
        callApi(instance, { key, body: { site_id: siteId, name: 'Gast' } }),
        callApi(instance, { key, path: `vouchers.php?site_id=${siteId}` }),
      ]),
    );
    const statuses = answers.map(({ status }) => status);
    if (statuses.some((status) => status >= 300)) wellSince = performance.now();
    assert.ok(performance.now() < giveUpAt, `still answered with ${statuses}`);
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

    test('it really hits requests under way', (t) => {
      t.diagnostic(JSON.stringify({ ...report, wrong: report.wrong.length }));
      assert.ok((report.answers['POST 503'] ?? 0) + (report.answers['POST 500'] ?? 0) > 0);
    });

    test('answers meanwhile are 503, or 500 with the reason where a voucher was asked for', () => {
      assert.deepEqual([...new Set(report.wrong)], []);
    });

    test('everything works again soon', async () => {
      // The run watches for so long only; where a busy machine needs longer, the test looks on.
      if (report.recoveredMs > RECOVERY_MS) await untilAllWork(fleet);
    });

    test('nothing is lost, doubled or orphaned', () => {
      assert.deepEqual(report.faults, []);
    });
  });
