// Tests the sync loops: each site has its own schedule, the first syncs are spread over the interval, no site waits for
// another, and sites can be added or deactivated while the service runs.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SITE } from '../../../tests/support/site.ts';
import type { Log } from '../../platform/log/log.ts';
import { fail, ok } from '../../platform/values/result.ts';
import { asSiteId, type SiteId } from '../ids.ts';
import type { SyncSite } from '../vouchers/sync-site.ts';
import type { Site } from './site.ts';
import { startSyncLoops } from './sync-loop.ts';

const INTERVAL_S = 100;
const LOOK_FOR_SITES_S = 10;
const NOTHING = ok({ listed: 1, changed: 0, gone: 0, imported: 0 });
const [ONE, TWO] = [asSiteId(1), asSiteId(2)];

const site = (id: SiteId): Site => ({ ...SITE, id, name: `Haus ${id}` });

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

/** Starts the loops with a mocked clock. The test can change the active sites and the outcome of a sync. */
function start(t: TestContext, share: number, syncSite: SyncSite = async () => NOTHING) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const active = new Map([ONE, TWO].map((id) => [id, site(id)]));
  const logged: { level: string; fields: Record<string, unknown> }[] = [];
  const note = (level: string) => (fields: Record<string, unknown>) => void logged.push({ level, fields });
  const log: Log = {
    debug: () => {},
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
    isLevelEnabled: () => true,
  };
  const turns: { id: SiteId; atS: number; site: Site }[] = [];
  let nowS = 0;
  let listFails = false;
  const loops = startSyncLoops({
    sites: {
      findActive: async (id) => active.get(id),
      async listActive() {
        if (listFails) throw new Error('the database is away');
        return [...active.values()];
      },
    },
    async syncSite(found, signal) {
      turns.push({ id: found.id, atS: nowS, site: found });
      return syncSite(found, signal);
    },
    sinceLastMs: async () => undefined,
    intervalS: INTERVAL_S,
    log,
    random: () => share,
  });
  return {
    loops,
    active,
    turns,
    logged,
    failToList(fails: boolean) {
      listFails = fails;
    },
    timesOf: (id: SiteId) => turns.filter((turn) => turn.id === id).map(({ atS }) => atS),
    async advance(seconds: number) {
      await nextTurn();
      for (let passed = 0; passed < seconds; passed++) {
        nowS++;
        t.mock.timers.tick(1_000);
        await nextTurn();
      }
    },
  };
}

/** The times of the first three turns for each value of the random function. */
const courses: [share: number, times: number[]][] = [
  [0, [0, 90, 180]],
  [0.25, [25, 120, 215]],
  [0.5, [50, 150, 250]],
  [0.999_99, [100, 210, 320]],
];
for (const [share, times] of courses)
  test(`first syncs are spread over the interval, and pauses vary by at most a tenth (${share})`, async (t) => {
    const { advance, timesOf, loops } = start(t, share);
    await advance(330);
    assert.deepEqual(timesOf(ONE).slice(0, 3), times);
    assert.deepEqual(timesOf(TWO).slice(0, 3), times);
    await loops.stop();
  });

test('a site whose controller hangs does not delay other sites', async (t) => {
  const hanging: SyncSite = async (found, signal) => {
    if (found.id === ONE) await untilAborted(signal);
    return NOTHING;
  };
  const { advance, timesOf, loops } = start(t, 0.5, hanging);
  await advance(350);
  assert.deepEqual([timesOf(ONE), timesOf(TWO)], [[50], [50, 150, 250, 350]]);
  await loops.stop();
});

test('an added site is synced without a restart', async (t) => {
  const { active, advance, timesOf, loops } = start(t, 0);
  await advance(5);
  const added = asSiteId(3);
  active.set(added, site(added));
  await advance(LOOK_FOR_SITES_S + 90);
  assert.deepEqual(timesOf(added), [LOOK_FOR_SITES_S, LOOK_FOR_SITES_S + 90]);
  assert.deepEqual(timesOf(ONE), [0, 90]);
  await loops.stop();
});

test('the running sync of a deactivated site is aborted, and a reactivated site is synced again', async (t) => {
  let ended = 0;
  const hanging: SyncSite = async (found, signal) => {
    if (found.id !== ONE) return NOTHING;
    await untilAborted(signal);
    ended++;
    return fail({ kind: 'unreachable', text: 'the time was over' });
  };
  const { active, advance, timesOf, logged, loops } = start(t, 0, hanging);
  await advance(1);
  active.delete(ONE);
  await advance(LOOK_FOR_SITES_S);
  assert.equal(ended, 1);
  await advance(2 * INTERVAL_S);
  assert.deepEqual(timesOf(ONE), [0]);
  active.set(ONE, site(ONE));
  await advance(LOOK_FOR_SITES_S);
  assert.equal(timesOf(ONE).length, 2);
  await loops.stop();
  assert.deepEqual(logged, [], 'an aborted sync is not a failure');
});

test('a changed site is synced with its current settings', async (t) => {
  const { active, advance, turns, loops } = start(t, 0.5);
  await advance(60);
  active.set(ONE, { ...site(ONE), controllerSite: 'garten' });
  await advance(INTERVAL_S);
  const seen = turns.filter(({ id }) => id === ONE).map((turn) => turn.site.controllerSite);
  assert.deepEqual(seen, ['default', 'garten']);
  await loops.stop();
});

test('a failed sync is logged with its site and repeated at its next time', async (t) => {
  const failing: SyncSite = async ({ id }) => {
    if (id === TWO) throw new Error('broken');
    return fail({ kind: 'unreachable', text: 'it is away' });
  };
  const { advance, timesOf, logged, loops } = start(t, 0.5, failing);
  await advance(60);
  assert.deepEqual(
    logged.map(({ level, fields }) => [
      level,
      fields.siteId ?? fields.worker,
      String(fields.problem ?? fields.err),
    ]),
    [
      ['warn', 1, 'it is away'],
      ['error', 'sync of site 2', 'Error: broken'],
    ],
  );
  await advance(INTERVAL_S);
  assert.deepEqual(
    [timesOf(ONE), timesOf(TWO)],
    [
      [50, 150],
      [50, 150],
    ],
  );
  await loops.stop();
});

test('if the sites cannot be listed for a while, they are listed again later', async (t) => {
  const { active, failToList, advance, timesOf, loops } = start(t, 0);
  await advance(1);
  const added = asSiteId(3);
  active.set(added, site(added));
  failToList(true);
  await advance(30);
  assert.deepEqual(timesOf(added), []);
  failToList(false);
  await advance(LOOK_FOR_SITES_S);
  assert.equal(timesOf(added).length, 1);
  await loops.stop();
});

test('stopping aborts running syncs, waits for them and begins no other', async (t) => {
  let ended = 0;
  const hanging: SyncSite = async (_, signal) => {
    await untilAborted(signal);
    await nextTurn();
    ended++;
    return fail({ kind: 'unreachable', text: 'the time was over' });
  };
  const { advance, turns, logged, loops } = start(t, 0, hanging);
  await advance(1);
  await loops.stop();
  assert.deepEqual([ended, logged], [2, []]);
  await advance(3 * INTERVAL_S);
  assert.equal(turns.length, 2);
});

test('a site that this release does not know is left to instances of the newer release', async (t) => {
  const { loops, active, turns, advance } = start(t, 0.5);
  active.set(TWO, { ...site(TWO), controllerKind: 'unknown' });
  await advance(3 * INTERVAL_S);
  assert.deepEqual([...new Set(turns.map(({ id }) => id))], [ONE]);
  await loops.stop();
});
