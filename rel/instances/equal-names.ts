// Places many orders with equal names at once, spread over all instances.

import { callApi } from '../../tests/support/run-gastpass.ts';
import { auditBooks } from './books.ts';
import type { ConsoleKind, Fleet } from './fleet.ts';

export interface EqualNamesReport {
  /** The number of responses by status; any status but 201 is listed with its message. */
  answers: Record<string, number>;
  /** Vouchers that were lost, duplicated or orphaned. */
  faults: string[];
  logins: number;
}

export async function runEqualNames(
  fleet: Fleet,
  { kind, orders }: { kind: ConsoleKind; orders: number },
): Promise<EqualNamesReport> {
  const key = await fleet.issueKey('write');
  const site = await fleet.addConsole(kind);
  const responses: Record<string, number> = {};
  const promised: string[] = [];
  const order = async (number: number) => {
    const instance = fleet.instances[number % fleet.instances.length];
    if (!instance) throw new Error('a fleet without instances');
    const body = { site_id: site.siteId, name: 'Gruppe' };
    const { status, json } = await callApi(instance, { key, body });
    const response = status === 201 ? '201' : `${status}: ${json.message}`;
    responses[response] = (responses[response] ?? 0) + 1;
    if (status === 201) promised.push(json.code);
  };
  await Promise.all(Array.from({ length: orders }, (_, number) => order(number)));
  const faults = await auditBooks(fleet, [site], promised);
  return { answers: responses, faults, logins: site.console.controls.counters().logins };
}
