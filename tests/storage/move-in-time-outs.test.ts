// Tests that the time-outs of PostgreSQL do not cut a move from another tool: it reads a large dump between two
// statements, and a statement may wait for a running service.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Remarks } from '../../src/features/move-in/report.ts';
import {
  type MoveInInput,
  moveIn,
  moveIntoInstallation,
} from '../../src/features/move-in/storage/move-in-store.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { openStorage, type Storage } from '../../src/platform/database/open-storage.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { TESTER } from '../support/actors.ts';
import { makeTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { untilOneWaits } from './until-one-waits.ts';

const STATEMENT_TIMEOUT_MS = 5_000;
const SHORT_TIMEOUT_MS = 100;
/** The client itself gives a statement up a second after the server should have cut it. */
const LONGER_MS = SHORT_TIMEOUT_MS + 1_500;

const { folder: dataDir, remove } = makeFolder();
const secret = 'the secret of an installation that is moved into';
let made: TestDatabase;
let storage: Storage;
const placeWith = (statementTimeoutMs: number) => ({
  dataDir,
  secret,
  database: { url: made.url, poolSize: 5, statementTimeoutMs },
});

before(async () => {
  made = await makeTestDatabase({ mayHaveTables: true });
  storage = await openStorage(placeWith(STATEMENT_TIMEOUT_MS));
});
after(async () => {
  await storage?.database.close();
  await made?.drop();
  remove();
});

/** A dump with empty tables. */
const input: MoveInInput = {
  data: {
    found: {
      sites: 0,
      users: 0,
      user_site_access: 0,
      voucher_templates: 0,
      api_keys: 0,
      vouchers: 0,
      audit_log: 0,
    },
    sites: [],
    users: [],
    grants: [],
    profiles: [],
    keys: [],
    async *vouchers() {},
    async *entries() {},
  },
  remarks: new Remarks(),
  isDryRun: true,
  audit: { actor: TESTER, atMs: systemClock.nowMs() },
};

test('the server lets the transaction be idle while the dump is read', async () => {
  let idle: unknown;
  const { database, seal } = storage;
  const watched: Database = {
    ...database,
    write: (job, urgency) =>
      database.write(async (transaction) => {
        const value = await job(transaction);
        const setting = sql`select current_setting('idle_in_transaction_session_timeout') as idle`;
        [idle] = (await setting.execute(transaction)).rows;
        return value;
      }, urgency),
  };
  const moved = await moveIn({ database: watched, seal }, { ...input, isDryRun: false });
  assert.ok(moved.ok, JSON.stringify(moved));
  assert.deepEqual(idle, { idle: '0' });
  await made.rows("delete from settings where name = 'moved_in_at'");
});

test('a statement that waits longer than the time-out of statements is not cut', async () => {
  const held = await made.hold('lock table audit in share row exclusive mode');
  const moving = moveIntoInstallation(placeWith(SHORT_TIMEOUT_MS), input).catch((error) => error);
  await untilOneWaits(storage.database);
  await sleep(LONGER_MS);
  await held.release();
  const moved = await moving;
  assert.ok(moved.ok, String(moved));
});
