// PostgreSQL is restarted under load: nobody gets a wrong answer meanwhile, all works again soon, and the
// consoles and our records agree to the voucher.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Fleet, startFleet } from '../../rel/instances/fleet.ts';
import { RECOVERY_MS, type RestartReport, runRestart } from '../../rel/instances/restarts.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';

let server: PostgresServer;
before(async () => {
  // Nobody else's: it is about to be ended.
  server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url;
});
after(() => server.stop());

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

    test(`everything works again within ${RECOVERY_MS / 1000} seconds`, () => {
      assert.ok(report.recoveredMs <= RECOVERY_MS, `${report.recoveredMs} ms`);
    });

    test('nothing is lost, doubled or orphaned', () => {
      assert.deepEqual(report.faults, []);
    });
  });
