// A service that is killed while a printer polls it: a job that was handed out completely is never offered again, and
// no job is lost silently.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openInstallation } from '../../../src/app/installation.ts';
import type { Installation } from '../../../src/kernel/installation.ts';
import { prepare } from '../../faults/bookkeeping.ts';
import {
  addPollingPrinter,
  addTestPage,
  auditOf,
  makeStar,
  type PollingPrinter,
  stateOf,
} from '../../printers/polling/polling-ground.ts';
import { makeFolder, startGastpass } from '../../support/run-gastpass.ts';
import { configOf } from '../../support/test-service.ts';

const ROUNDS = 8;
/** The first kills are spread over this time, from the request on. The last ones wait for the last byte. */
const MAX_DELAY_MS = 60;
const PATIENT_ROUNDS = 2;

const { folder: dataDir, remove } = makeFolder();
after(remove);

/** Fetches the job from a service that is killed meanwhile. Returns whether the printer got the whole job. */
async function fetchThroughKill(own: PollingPrinter, delayMs: number | null): Promise<boolean> {
  const service = await startGastpass({ dataDir, environment: { GASTPASS_DEMO: '0', LOG_LEVEL: 'silent' } });
  const star = makeStar(service.url, own);
  const token = await star.offered();
  const fetched = star
    .get(token)
    .then(async (response) => (await response.arrayBuffer()).byteLength > 0)
    .catch(() => false);
  await (delayMs === null ? fetched : sleep(delayMs));
  service.child.kill('SIGKILL');
  assert.equal((await service.ended).signal, 'SIGKILL');
  return fetched;
}

/** Ends the printer's pause, so that a round does not wait for it. */
const endPause = (beside: Installation, { printer }: PollingPrinter) =>
  beside.printers.update(printer.id, {}, auditOf(beside));

test('a job that was handed out before the kill is unknown, and any other is offered again', async (t) => {
  await prepare(dataDir);
  const beside = await openInstallation(await configOf(dataDir));
  const ground = { beside, clock: beside.clock };
  const own = await addPollingPrinter(ground, 'cloudprnt');
  const ends: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    const job = await addTestPage(ground, own);
    const delayMs = round < ROUNDS - PATIENT_ROUNDS ? (round * MAX_DELAY_MS) / ROUNDS : null;
    const isWhole = await fetchThroughKill(own, delayMs);
    const service = await startGastpass({
      dataDir,
      environment: { GASTPASS_DEMO: '0', LOG_LEVEL: 'silent' },
    });
    const offered = await makeStar(service.url, own).offered();
    const state = await stateOf(ground, job);
    const end = `${isWhole ? 'whole' : 'broken'} ${state}`;
    ends[end] = (ends[end] ?? 0) + 1;
    assert.equal(offered, state === 'queued' ? String(job) : undefined);
    if (isWhole) assert.equal(state, 'unknown');
    else assert.ok(state === 'unknown' || state === 'queued', state);
    await beside.printJobs.cancel(job, auditOf(beside));
    await endPause(beside, own);
    await service.stop();
  }
  await beside.close();
  t.diagnostic(JSON.stringify(ends));
  assert.ok(ends['whole unknown'], JSON.stringify(ends));
});
