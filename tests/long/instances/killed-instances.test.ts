// Instances that are killed one after the other under load: whatever any of them has promised is listed by
// the others, and the consoles and our records agree to the voucher.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Fleet, startFleet } from '../../../rel/instances/fleet.ts';
import { type KillsReport, runKills } from '../../../rel/instances/kills.ts';

const DURATION_MS = 10_000;

let fleet: Fleet;
let report: KillsReport;
before(async () => {
  // Syncing and importing go on meanwhile, as they would.
  fleet = await startFleet(3, { environment: { SYNC_INTERVAL_S: '5' } });
  report = await runKills(fleet, DURATION_MS);
});
after(() => fleet.stop());

test('the kills really hit requests under way', (t) => {
  const { kills, cutOff, openIntents, acknowledged } = report;
  t.diagnostic(`${kills} kills, ${acknowledged} vouchers promised, ${openIntents} orders left open`);
  assert.ok(kills >= 4 && cutOff > 0 && openIntents > 0 && acknowledged > 0, JSON.stringify(report));
});

test('every promised voucher is in the next list of another instance', () => {
  assert.equal(report.notListed, 0);
});

test('who is not cut off gets a voucher', () => {
  assert.deepEqual(report.strange, []);
});

test('nothing is lost, doubled or orphaned', () => {
  assert.deepEqual(report.faults, []);
});
