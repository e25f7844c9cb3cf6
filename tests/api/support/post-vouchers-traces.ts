// Counts the records that a creation leaves in the service and on the simulated controller, for tests that check that
// something was created exactly once or not at all.

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
  /** Idempotency keys in use. */
  tickets: number;
}

/** The vouchers of the simulated controller, read from its own file, oldest first. */
export function upstreamVouchers({ config }: TestService, site?: string): Record<string, unknown>[] {
  const path = join(config.dataDir, 'simulator.sqlite');
  // The simulator creates its file when it is called for the first site.
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

/** Runs `deed` and checks how many records it added. A count that is not in `expected` must be 0. */
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

/** The records that one creation adds. */
export const ONE_VOUCHER: Partial<Traces> = { vouchers: 1, upstream: 1, notifications: 1, auditEntries: 1 };
