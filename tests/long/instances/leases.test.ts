// Background jobs on several instances: one instance syncs and settles a site, and another instance soon takes over
// when that instance dies or freezes.

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditBooks } from '../../../rel/instances/books.ts';
import { type Fleet, type FleetSite, startFleet } from '../../../rel/instances/fleet.ts';
import { callApi, type RunningGastpass } from '../../support/run-gastpass.ts';
import { until } from '../../support/until.ts';

const INTERVAL_S = 5;
const environment = { SYNC_INTERVAL_S: String(INTERVAL_S) };
/** A lease expires after ten seconds, and an instance that found it taken checks again after another ten. */
const TAKEN_OVER_WITHIN_MS = 30_000;

async function openFleet(t: TestContext): Promise<Fleet> {
  const fleet = await startFleet(0, { environment });
  t.after(() => {
    // A frozen process reacts to no other signal.
    for (const { child } of fleet.instances) child.kill('SIGKILL');
    return fleet.stop();
  });
  return fleet;
}

interface Hanging {
  fleet: Fleet;
  /** The hanging instance; another instance has started since. */
  instance: RunningGastpass;
  site: FleetSite;
  order: Promise<unknown>;
}

/** Starts an instance that waits for the response to an order and hangs in a sync. */
async function hangInSync(t: TestContext): Promise<Hanging> {
  const fleet = await openFleet(t);
  const site = await fleet.addConsole('unifi');
  const { controls } = site.console;
  // Started after the site was added, so that it does not have to discover the site first.
  const instance = await fleet.start();
  fleet.instances.push(instance);
  controls.setFault({ match: 'list', kind: 'hang-before-write', times: 'always' });
  controls.setFault({ match: 'create', kind: 'hang-after-write' });
  const body = { site_id: site.siteId, name: 'Zimmer 12' };
  const key = await fleet.issueKey('write');
  const order = callApi(instance, { key, body }).catch(() => undefined);
  await until(async () => controls.vouchers().length === 1);
  // As if half a minute had passed.
  await fleet.database.rows('update intents set created_at_ms = created_at_ms - 30000');
  await until(async () => (await leases(fleet)).length === 1);
  await until(async () => controls.faults()[0]?.met);
  fleet.instances.push(await fleet.start());
  return { fleet, instance, site, order };
}

const leases = (fleet: Fleet) => fleet.database.rows("select holder from leases where name like 'sync of%'");
const syncs = (fleet: Fleet) => fleet.database.rows('select synced_at_ms, failed_at_ms from site_syncs');
const isSynced = (fleet: Fleet) => async () => (await syncs(fleet))[0]?.synced_at_ms;

/** Returns how long it takes until another instance has settled the order and synced the site. */
async function timeTakeover(fleet: Fleet, site: FleetSite): Promise<number> {
  site.console.controls.resetFaults();
  const startedAt = performance.now();
  await until(
    async () => {
      const recorded = await fleet.database.rows('select 1 from vouchers');
      return recorded.length === 1 && (await isSynced(fleet)());
    },
    { patienceMs: TAKEN_OVER_WITHIN_MS, everyMs: 50 },
  );
  return performance.now() - startedAt;
}

describe('several instances', { concurrency: true }, () => {
  test('together sync a site no more often than one instance does', async (t) => {
    const fleet = await openFleet(t);
    const { console } = await fleet.addConsole('unifi', 200);
    console.controls.fill({ count: 3 });
    fleet.instances.push(...(await Promise.all([fleet.start(), fleet.start(), fleet.start()])));
    await until(isSynced(fleet));
    const [first] = await syncs(fleet);
    const before = console.controls.counters().requests.list ?? 0;
    const turns = 3;
    await sleep(turns * INTERVAL_S * 1_000);
    const lists = (console.controls.counters().requests.list ?? 0) - before;
    const [last] = await syncs(fleet);
    t.diagnostic(`${lists} lists read in ${turns} intervals`);
    assert.ok(Number(last?.synced_at_ms) > Number(first?.synced_at_ms));
    assert.ok(lists >= 1 && lists <= turns + 1, `${lists} lists in ${turns} intervals`);
  });

  test('another instance takes over from an instance killed in the middle of a sync', async (t) => {
    const { fleet, instance, site } = await hangInSync(t);
    await instance.stop('SIGKILL');
    const tookMs = await timeTakeover(fleet, site);
    t.diagnostic(`taken over after ${Math.round(tookMs)} ms`);
    assert.deepEqual(await auditBooks(fleet, [site], []), []);
  });

  test('another instance takes over from a frozen instance, which does no harm when it thaws', async (t) => {
    const { fleet, instance, site, order } = await hangInSync(t);
    instance.child.kill('SIGSTOP');
    const tookMs = await timeTakeover(fleet, site);
    t.diagnostic(`taken over after ${Math.round(tookMs)} ms`);
    instance.child.kill('SIGCONT');
    await order;
    assert.deepEqual(await auditBooks(fleet, [site], []), []);
  });
});
