// What a creation leaves behind, on our side and on the simulated controller, for tests that promise
// that something was made exactly once or not at all.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestService } from '../../support/test-service.ts';

export interface Traces {
  vouchers: number;
  intents: number;
  upstream: number;
  notifications: number;
  auditEntries: number;
  /** Idempotency keys that are taken. */
  tickets: number;
}

/** The vouchers the simulated controller holds, as its own file shows them, oldest first. */
export function upstreamVouchers({ config }: TestService, site?: string): Record<string, unknown>[] {
  const path = join(config.dataDir, 'simulator.sqlite');
  // The simulator makes its file with the first site it is asked for.
  if (!existsSync(path)) return [];
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    const all = file.prepare('select * from vouchers order by rowid').all();
    return all.filter((row) => site === undefined || String(row.site).endsWith(`/${site}`));
  } finally {
    file.close();
  }
}

export function tracesOf(service: TestService): Traces {
  const count = (table: string) => Number(service.rows(`select count(*) as n from ${table}`)[0]?.n);
  return {
    vouchers: count('vouchers'),
    intents: count('intents'),
    upstream: upstreamVouchers(service).length,
    notifications: count('outbox'),
    auditEntries: count("audit where action = 'voucher.created'"),
    tickets: count('idempotent_answers'),
  };
}

/** Does the deed and holds what it left behind against what was expected; nothing unless told otherwise. */
export async function leaving<Value>(
  service: TestService,
  expected: Partial<Traces>,
  deed: () => Promise<Value>,
): Promise<Value> {
  const before = tracesOf(service);
  const value = await deed();
  const after = tracesOf(service);
  const left = {
    vouchers: after.vouchers - before.vouchers,
    intents: after.intents - before.intents,
    upstream: after.upstream - before.upstream,
    notifications: after.notifications - before.notifications,
    auditEntries: after.auditEntries - before.auditEntries,
    tickets: after.tickets - before.tickets,
  };
  const nothing = { vouchers: 0, intents: 0, upstream: 0, notifications: 0, auditEntries: 0, tickets: 0 };
  assert.deepEqual(left, { ...nothing, ...expected });
  return value;
}

/** All that one creation leaves behind. */
export const ONE_VOUCHER: Partial<Traces> = { vouchers: 1, upstream: 1, notifications: 1, auditEntries: 1 };
