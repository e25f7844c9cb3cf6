// The load under which a primary is killed: callers that order vouchers, and sometimes list the sites, at two
// instances.

import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '../../tests/support/run-gastpass.ts';
import type { Fleet, FleetSite } from '../instances/fleet.ts';

export const INSTANCES = 2;
const CALLERS = 8;
const PAUSE_MS = 20;
const PATIENCE_MS = 60_000;
/** Long enough that orders are under way when the primary is killed. */
const CONSOLE_MS = 50;

export interface Asked {
  isOrder: boolean;
  endedAt: number;
  status: number;
  message: string;
}

export interface Load {
  asked: Asked[];
  /** Codes that callers received. */
  promised: string[];
  stop(): Promise<void>;
}

export async function addConsoles(fleet: Fleet): Promise<FleetSite[]> {
  return [await fleet.addConsole('unifi', CONSOLE_MS), await fleet.addConsole('unifi-classic', CONSOLE_MS)];
}

export async function startLoad(fleet: Fleet, sites: FleetSite[]): Promise<Load> {
  const key = await fleet.issueKey('write');
  const asked: Asked[] = [];
  const promised: string[] = [];
  let isOver = false;

  async function ask(turn: number): Promise<void> {
    const instance = fleet.instances[turn % fleet.instances.length];
    const siteId = sites[Math.floor(turn / 2) % sites.length]?.siteId;
    if (!instance) throw new Error('a fleet without instances');
    const isOrder = turn % 5 < 4;
    const name = turn % 3 === 0 ? 'Gruppe' : `Zimmer ${turn}`;
    const request = isOrder ? { body: { site_id: siteId, name } } : { path: 'sites.php' };
    const { status, json } = await callApi(instance, { key, ...request }).catch((error) => ({
      status: 0,
      json: { message: String(error) },
    }));
    if (status === 201) promised.push(json.code);
    asked.push({ isOrder, endedAt: performance.now(), status, message: String(json.message) });
  }

  const callers = Array.from({ length: CALLERS }, async (_, number) => {
    for (let turn = number; !isOver; turn += CALLERS + 1) {
      await ask(turn);
      await sleep(PAUSE_MS);
    }
  });
  return {
    asked,
    promised,
    async stop() {
      isOver = true;
      await Promise.all(callers);
    },
  };
}

/** Waits for the next voucher: from then on the new primary takes writes. */
export async function untilServed({ promised }: Load): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  const served = promised.length;
  while (promised.length === served) {
    if (performance.now() > giveUpAt) throw new Error('no voucher was created after the failover');
    await sleep(PAUSE_MS);
  }
}
