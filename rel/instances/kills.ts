// Kills one instance after the other while all of them create vouchers. A caller that received a voucher immediately
// reads the list from another instance.

import { setTimeout as sleep } from 'node:timers/promises';
import { callApi, type RunningGastpass } from '../../tests/support/run-gastpass.ts';
import { auditBooks, countRows } from './books.ts';
import type { Fleet, FleetSite } from './fleet.ts';

const CALLERS_PER_SITE = 8;
const KILL_EVERY_MS = 1_000;
const MIN_KILLS = 5;
const AFTER_CUT_OFF_MS = 20;
/** Long enough that most orders are on their way to a console when an instance is killed. */
const CONSOLE_LATENCY_MS = 200;

export interface KillsReport {
  kills: number;
  /** Requests that a kill cut off. */
  cutOff: number;
  /** Intents left open by the killed instances. */
  openIntents: number;
  acknowledged: number;
  /** Vouchers that were returned to a caller and are missing from the very next list of another instance. */
  notListed: number;
  /** Responses that are neither a voucher nor a list. */
  strange: string[];
  faults: string[];
}

export async function runKills(fleet: Fleet, durationMs: number): Promise<KillsReport> {
  const key = await fleet.issueKey('write');
  const sites = [
    await fleet.addConsole('unifi', CONSOLE_LATENCY_MS),
    await fleet.addConsole('unifi-classic', CONSOLE_LATENCY_MS),
  ];
  const promised: string[] = [];
  const strange: string[] = [];
  let [kills, cutOff, notListed, isOver] = [0, 0, 0, false];

  async function call(instance: RunningGastpass, request: { path?: string; body?: unknown }) {
    const reply = await callApi(instance, { key, ...request }).catch(() => undefined);
    if (!reply) cutOff++;
    else if (reply.status !== (request.body ? 201 : 200))
      strange.push(`${reply.status} ${JSON.stringify(reply.json)}`);
    return reply;
  }

  async function order(site: FleetSite, number: number): Promise<void> {
    const { siteId } = site;
    for (let turn = number; !isOver; turn++) {
      const [instance, other] = twoOf(fleet.instances, turn);
      // Every second order uses a name that other callers use too.
      const name = turn % 2 === 0 ? 'Gruppe' : `Zimmer ${number}`;
      const made = await call(instance, { body: { site_id: siteId, name } });
      if (!made) await sleep(AFTER_CUT_OFF_MS);
      if (made?.status !== 201) continue;
      promised.push(made.json.code);
      const list = await call(other, { path: `vouchers.php?site_id=${siteId}` });
      if (list?.status === 200 && !JSON.stringify(list.json).includes(made.json.code)) notListed++;
    }
  }

  const callers = sites.flatMap((site) =>
    Array.from({ length: CALLERS_PER_SITE }, (_, number) => order(site, number)),
  );
  const replacing: Promise<void>[] = [];
  const endsAt = performance.now() + durationMs;
  while (performance.now() < endsAt || kills < MIN_KILLS) {
    // A start takes time on a busy machine: wait for it, so that the remaining instances have a chance to respond.
    await Promise.all(replacing);
    const index = kills++ % fleet.instances.length;
    replacing[index] = fleet.replace(index);
    await sleep(KILL_EVERY_MS);
  }
  isOver = true;
  await Promise.all([...callers, ...replacing]);

  const openIntents = await countRows(fleet, 'intents');
  await fleet.settleLater();
  const faults = await auditBooks(fleet, sites, promised);
  return { kills, cutOff, openIntents, acknowledged: promised.length, notListed, strange, faults };
}

function twoOf(instances: RunningGastpass[], turn: number): [RunningGastpass, RunningGastpass] {
  const [one, other] = [instances[turn % instances.length], instances[(turn + 1) % instances.length]];
  if (!one || !other) throw new Error('a fleet without instances');
  return [one, other];
}
