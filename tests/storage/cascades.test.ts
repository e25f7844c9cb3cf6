// Lists every reference that deletes rows along with another row. A new reference fails this test until somebody has
// made sure that nothing disappears silently that an administrator would miss.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { makeFolder } from '../support/run-gastpass.ts';

/** Under each table, the tables whose rows go with its rows. */
const CASCADES: Record<string, string[]> = {
  // The question lists the rows (see contents-queries.ts), and the audit log keeps the list. A reserve is a number.
  sites: ['guest_requests', 'mail_texts', 'printers', 'request_pages', 'screens', 'site_reserves'],
  // Only the retention period, of which the settings warn, and the removal of a demo delete vouchers.
  vouchers: ['guest_links', 'messages', 'screen_results', 'shown_codes'],
  // Without an intent there is no voucher that could be sent or printed. The failed order is recorded.
  intents: ['messages'],
  // The confirmation says that the access of the user is deleted.
  users: ['identities', 'user_grants'],
  // The other rows are parts of their row.
  bulk_revocations: ['bulk_revocation_vouchers'],
  messages: ['message_attempts'],
  profiles: ['profile_sites'],
  screens: ['screen_results'],
  second_factors: ['recovery_codes'],
  web_sessions: ['external_sessions'],
};

test('every deletion that deletes other rows is listed', async () => {
  const { folder, remove } = makeFolder();
  const path = join(folder, 'gastpass.sqlite');
  await openSqlite(path).close();
  const file = new DatabaseSync(path, { readOnly: true });
  const rows = file
    .prepare(
      `select keys."table" as parent, tables.name as child
       from sqlite_schema as tables, pragma_foreign_key_list(tables.name) as keys
       where tables.type = 'table' and keys.on_delete = 'CASCADE' order by parent, child`,
    )
    .all();
  const triggers = file
    .prepare(`select name from sqlite_schema where type = 'trigger' and sql like '%after delete%'`)
    .all();
  file.close();
  remove();
  const found = Object.groupBy(rows, ({ parent }) => String(parent));
  assert.deepEqual(
    Object.fromEntries(
      Object.entries(found).map(([parent, of = []]) => [parent, of.map(({ child }) => child)]),
    ),
    Object.fromEntries(Object.entries(CASCADES).sort(([one], [other]) => (one < other ? -1 : 1))),
  );
  // The confirmation says that waiting messages and the log of a webhook are deleted.
  assert.deepEqual(
    triggers.map(({ name }) => name),
    ['messages_of_removed_webhook'],
  );
});
