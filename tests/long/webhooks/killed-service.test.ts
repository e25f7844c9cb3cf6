// A service that is killed while it delivers to a receiver that often fails: every event arrives in order and signed,
// and no delivery is left waiting. `npm run rel -- webhook` is the long run of the same scenario.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type KilledServiceReport, runKilledService } from '../../../rel/webhook/killed-service.ts';
import { databaseSettings } from '../../support/engine.ts';
import { makeFolder } from '../../support/run-gastpass.ts';

const EVENTS = 200;
const KILLS = 3;

const { folder: dataDir, remove } = makeFolder();
let report: KilledServiceReport;
before(async () => {
  const settings = { DATA_DIR: dataDir, ...(await databaseSettings(dataDir)) };
  const leaseRunsOutEvery = Number.POSITIVE_INFINITY;
  report = await runKilledService({ events: EVENTS, kills: KILLS, seed: 1, settings, leaseRunsOutEvery });
});
after(remove);

test('the receiver failed and the service was killed', (t) => {
  const { kills, arrivals, refused, hung, repeats, seconds } = report;
  t.diagnostic(`${arrivals} requests in ${seconds} s: ${refused} refused, ${hung} hung, ${repeats} repeated`);
  assert.equal(kills, KILLS);
  assert.ok(refused > EVENTS / 10 && hung > 0 && repeats > 0, JSON.stringify(report));
});

test('every event has arrived in order with a valid signature, and no delivery is waiting', () => {
  assert.deepEqual(report.faults, []);
  assert.equal(report.accepted, EVENTS);
});
