// Instances that are killed one after the other under load: every voucher that an instance has returned is listed by
// the other instances, and the vouchers of the consoles and of the database are the same.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Fleet, startFleet } from '../../../rel/instances/fleet.ts';
import { type KillsReport, runKills } from '../../../rel/instances/kills.ts';

const DURATION_MS = 10_000;

let fleet: Fleet;
let report: KillsReport;
before(async () => {
  // Sync and import run at the same time, as in production.
  fleet = await startFleet(3, { environment: { SYNC_INTERVAL_S: '5' } });
  report = await runKills(fleet, DURATION_MS);
});
after(() => fleet.stop());

test('the kills interrupt running requests', (t) => {
  const { kills, cutOff, openIntents, acknowledged } = report;
  t.diagnostic(`${kills} kills, ${acknowledged} vouchers promised, ${openIntents} orders left open`);
  assert.ok(kills >= 4 && cutOff > 0 && openIntents > 0 && acknowledged > 0, JSON.stringify(report));
});

test('every returned voucher is in the next list of another instance', () => {
  assert.equal(report.notListed, 0);
});

test('every request that is not cut off gets a voucher', () => {
  assert.deepEqual(report.strange, []);
});

test('no voucher is lost, duplicated or orphaned', () => {
  assert.deepEqual(report.faults, []);
});
