// Tests the migration of deliveries to the queue of messages on every engine: content and states are kept, and the id
// of a deleted delivery is not assigned again.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrations } from '../../src/platform/database/migrations/index.ts';
import type { SqlDialect } from '../../src/platform/database/migrations/migration.ts';
import { dialect as postgresDialect } from '../../src/platform/database/postgres/migrate.ts';
import { dialect as sqliteDialect } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { makeTestDatabase } from '../support/postgres.ts';

const VERSION = 21;
type Run = (statement: string) => Promise<Record<string, unknown>[]>;

function delivery(kind: string, state: string, details?: object): string {
  const states = details ? `'given-up', '${state}', '${JSON.stringify(details)}'` : `'${state}', null, null`;
  return `insert into deliveries (webhook_id, event_id, kind, voucher_count, site_name, source, occurred_at_ms,
    state, event_state, details) values (1, 'e', '${kind}', 2, 'Haus "Ä"', 'API', 7, ${states})`;
}

async function assertMoved(
  { run, runAll }: { run: Run; runAll: (statements: string[]) => unknown },
  dialect: SqlDialect,
): Promise<void> {
  const migrate = (from: number, to: number) =>
    runAll(migrations.slice(from, to).flatMap(({ statements }) => statements(dialect)));
  await migrate(0, VERSION - 1);
  await run(`insert into webhooks (id, sealed_url, format, platform, sealed_secrets, active, created_at_ms)
    values (1, 'x', 'generic', null, null, 1, 1)`);
  const incident = { siteId: 3, sinceMs: 1_794_926_853_632, cause: null, isOff: true };
  await run(delivery('voucher.created', 'delivered'));
  await run(delivery('site.unreachable', 'waiting', incident));
  await run(delivery('webhook.failing', 'given-up', incident));
  for (let count = 0; count < 5; count++) await run(delivery('webhook.test', 'given-up'));
  await run('delete from deliveries where id > 3');
  await migrate(VERSION - 1, VERSION);

  const rows = await run('select id, recipient_id, kind, state, payload from messages order by id');
  const facts = { voucherCount: 2, siteName: 'Haus "Ä"', source: 'API' };
  assert.deepEqual(
    rows.map((row) => [Number(row.id), row.kind, row.state, JSON.parse(String(row.payload))]),
    [
      [1, 'voucher.created', 'done', facts],
      [2, 'site.unreachable', 'waiting', { ...facts, ...incident }],
      [3, 'webhook.failing', 'failed', { ...facts, ...incident }],
    ],
  );
  const [next] =
    await run(`insert into messages (channel, recipient_id, event_id, kind, payload, state, occurred_at_ms)
    values ('webhook', 1, 'f', 'webhook.test', '{}', 'done', 8) returning id`);
  assert.ok(Number(next?.id) > 8, `the id ${next?.id} was assigned before`);
}

test('deliveries are moved on SQLite', async (t) => {
  const file = new DatabaseSync(':memory:');
  t.after(() => file.close());
  const run: Run = async (statement) => file.prepare(statement).all();
  await assertMoved({ run, runAll: (statements) => file.exec(statements.join(';')) }, sqliteDialect);
});

test('deliveries are moved on PostgreSQL', async (t) => {
  const { rows: run, drop } = await makeTestDatabase();
  t.after(drop);
  // Without values, several statements are one transaction.
  await assertMoved({ run, runAll: (statements) => run(statements.join(';')) }, postgresDialect);
});
