// Compares the controller's vouchers, our records and the open intents, for the fault tests. Reads both databases
// directly, without the code under test.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openInstallation } from '../../src/app/installation.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import type { SettleTally } from '../../src/kernel/vouchers/settle-intents.ts';
import { makeSyncUseCases } from '../../src/kernel/vouchers/sync-use-cases.ts';
import type { Clock } from '../../src/platform/time/clock.ts';
import { TESTER } from '../support/actors.ts';
import { readRecords } from '../support/engine.ts';
import { configOf } from '../support/test-service.ts';

export interface Books {
  /** `<site> <voucher id>` of each voucher on the controller. */
  upstream: string[];
  /** The same for each recorded voucher. */
  recorded: string[];
  /** The recorded codes. */
  codes: string[];
  intents: number;
  announced: number;
}

export function readBooks(dataDir: string): Books {
  const texts = (rows: Record<string, unknown>[]) => rows.map((row) => String(row.text)).sort();
  const count = (table: string) =>
    Number(readRecords(dataDir, `select count(*) as count from ${table}`)[0]?.count);
  return {
    upstream: texts(readUpstream(dataDir)),
    recorded: texts(
      readRecords(
        dataDir,
        `select s.id || '/' || s.controller_site || ' ' || v.controller_voucher_id as text
         from vouchers v join sites s on s.id = v.site_id`,
      ),
    ),
    codes: texts(readRecords(dataDir, 'select code as text from vouchers')),
    intents: count('intents'),
    // One query for both tables, because notifications move from the outbox to the deliveries at any time.
    announced: count('(select event_id from outbox union all select event_id from messages) as announced'),
  };
}

function readUpstream(dataDir: string): Record<string, unknown>[] {
  const file = new DatabaseSync(join(dataDir, 'simulator.sqlite'), { readOnly: true, timeout: 5_000 });
  try {
    return file.prepare("select site || ' ' || id as text from vouchers").all();
  } finally {
    file.close();
  }
}

/** Asserts that every voucher is recorded and announced exactly once and that no intent is open. */
export function assertInBalance(dataDir: string): Books {
  const books = readBooks(dataDir);
  assert.deepEqual(books.recorded, books.upstream);
  assert.equal(new Set(books.recorded).size, books.recorded.length);
  assert.equal(books.intents, 0);
  assert.equal(books.announced, books.recorded.length);
  return books;
}

/** Settles an installation's open intents in the same way as the service. */
export function settle(
  installation: Installation,
  signal: AbortSignal = new AbortController().signal,
): Promise<SettleTally> {
  return makeSyncUseCases(installation).settleIntents(signal);
}

/** Settles the intents of a data folder that no service uses, with the clock ten minutes ahead. */
export async function settleLater(dataDir: string): Promise<void> {
  const clock: Clock = { nowMs: () => Date.now() + 10 * 60_000 };
  const installation = await openInstallation(await configOf(dataDir), clock);
  await settle(installation);
  await installation.close();
}

/** Adds a site, an unreachable webhook and a write key to a data folder that no service uses. Returns the key. */
export async function prepare(dataDir: string, controllerSite = 'default'): Promise<string> {
  const installation = await openInstallation(await configOf(dataDir));
  const site = {
    name: 'Haus A',
    active: true,
    controllerKind: 'simulator' as const,
    controllerSite,
    connection: null,
  };
  await installation.sites.add(site, { actor: TESTER, atMs: Date.now() });
  // Notifications wait for this webhook, so they can be counted.
  const webhook = { url: 'http://127.0.0.1:9/', format: 'generic', platform: null, secrets: null } as const;
  await installation.webhooks.add(webhook, { actor: TESTER, atMs: Date.now() });
  const { keyText } = await installation.issueKey(
    { name: 'Test', scope: 'write', rateLimit: 0 },
    { actor: TESTER, atMs: Date.now() },
  );
  await installation.close();
  return keyText;
}
