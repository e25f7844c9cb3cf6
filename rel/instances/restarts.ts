// Restarts PostgreSQL, with an orderly shutdown or a crash, while all instances create and list vouchers.

import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '../../tests/support/postgres-server.ts';
import { callApi } from '../../tests/support/run-gastpass.ts';
import { auditBooks, countRows } from './books.ts';
import type { Fleet } from './fleet.ts';

const CALLERS = 12;
const CONSOLE_MS = 20;
const BEFORE_MS = 1_000;
/** Every request has to succeed again within this time after the database is back. */
export const RECOVERY_MS = 5_000;
/** The instances count as recovered after this time without a failure. */
const WELL_MS = 2_000;
const HIGH_LIMIT = 1_000_000;

export interface RestartReport {
  answers: Record<string, number>;
  /** Responses that an unavailable database does not explain. */
  wrong: string[];
  /** From the return of the database to the start of the last failed request. */
  recoveredMs: number;
  downMs: number;
  /**
   * Intents that are still open after the run: their vouchers were being ordered when the database became unavailable.
   */
  openIntents: number;
  faults: string[];
}

interface Asked {
  isOrder: boolean;
  startedAt: number;
  status: number;
  message: string;
}

export async function runRestart(
  fleet: Fleet,
  server: PostgresServer,
  how: 'crash' | 'in order',
): Promise<RestartReport> {
  const keys = [await fleet.issueKey('write'), await fleet.issueKey('write', HIGH_LIMIT)];
  const sites = [
    await fleet.addConsole('unifi', CONSOLE_MS),
    await fleet.addConsole('unifi-classic', CONSOLE_MS),
  ];
  const asked: Asked[] = [];
  const promised: string[] = [];
  let [isOver, backAt] = [false, 0];

  async function ask(turn: number): Promise<void> {
    const instance = fleet.instances[turn % fleet.instances.length];
    const siteId = sites[turn % sites.length]?.siteId;
    const key = keys[turn % keys.length] ?? '';
    if (!instance) throw new Error('a fleet without instances');
    const isOrder = turn % 5 < 3;
    const startedAt = performance.now();
    const { status, json } = await callApi(instance, {
      key,
      ...(isOrder
        ? { body: { site_id: siteId, name: 'Gruppe' } }
        : { path: `vouchers.php?site_id=${siteId}` }),
    }).catch((error) => ({ status: 0, json: { message: String(error) } }));
    if (status === 201) promised.push(json.code);
    asked.push({ isOrder, startedAt, status, message: String(json.message) });
  }

  /** The start of the last request that failed after the return of the database, or else the time of that return. */
  const lastFailureAt = () => Math.max(backAt, ...asked.filter(isFailure).map(({ startedAt }) => startedAt));
  const callers = Array.from({ length: CALLERS }, async (_, number) => {
    for (let turn = number; !isOver; turn += 7) await ask(turn);
  });
  await sleep(BEFORE_MS);
  const wentAt = performance.now();
  await server.restart(how);
  backAt = performance.now();
  while (performance.now() < Math.min(lastFailureAt() + WELL_MS, backAt + RECOVERY_MS + WELL_MS))
    await sleep(50);
  isOver = true;
  await Promise.all(callers);

  const failed = asked.filter(isFailure);
  const openIntents = await countRows(fleet, 'intents');
  await fleet.settleLater();
  return {
    answers: tallyOf(asked),
    wrong: failed
      .filter((response) => !isExplained(response))
      .map(({ status, message }) => `${status} ${message}`),
    recoveredMs: Math.max(0, ...failed.map(({ startedAt }) => Math.round(startedAt - backAt))),
    downMs: Math.round(backAt - wentAt),
    openIntents,
    faults: await auditBooks(fleet, sites, promised),
  };
}

const isFailure = ({ status }: Asked) => status >= 300 || status === 0;

/** 503, or 500 with the reason if a voucher had already been ordered. */
function isExplained({ isOrder, status, message }: Asked): boolean {
  return (
    status === 503 || (isOrder && status === 500 && message.startsWith('the database became unavailable'))
  );
}

function tallyOf(asked: Asked[]): Record<string, number> {
  const tally: Record<string, number> = {};
  for (const { isOrder, status } of asked) {
    const name = `${isOrder ? 'POST' : 'GET'} ${status}`;
    tally[name] = (tally[name] ?? 0) + 1;
  }
  return tally;
}
