// The query plans of the statements that an action prepares on SQLite.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { makeFolder } from '../support/run-gastpass.ts';

/** There are few webhooks, however many vouchers there are. */
export const isCostly = (step: string) => /\bSCAN (?!CONSTANT ROW|webhooks)|TEMP B-TREE/.test(step);

export type Plans = ReturnType<typeof openPlans>;

/** Opens a new database. Until `close`, it notes what this process prepares. */
export function openPlans() {
  const { folder, remove } = makeFolder();
  const file = join(folder, 'gastpass.sqlite');
  const prepared: string[] = [];
  const reallyPrepare = DatabaseSync.prototype.prepare;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string) {
    prepared.push(sql);
    return reallyPrepare.call(this, sql);
  };
  const database = openSqlite(file);
  const beside = new DatabaseSync(file);

  function planOf(sql: string): string[] {
    return beside
      .prepare(`explain query plan ${sql}`)
      .all()
      .map((step) => String(step.detail));
  }

  /** The plan of each statement that the action prepares for the first time. */
  async function plansOf(action: () => Promise<unknown>): Promise<{ sql: string; plan: string[] }[]> {
    const known = prepared.length;
    await action();
    return prepared
      .slice(known)
      .filter((sql) => /^\s*(select|insert|update|delete|with)\b/i.test(sql))
      .map((sql) => ({ sql, plan: planOf(sql) }));
  }

  /** Fails if one of the new statements reads a whole table or sorts. */
  async function assertDirect(action: () => Promise<unknown>, uses: RegExp): Promise<void> {
    const plans = await plansOf(action);
    assert.ok(plans.length > 0, 'the action prepared no new statement');
    for (const { sql, plan } of plans) assert.deepEqual(plan.filter(isCostly), [], sql);
    assert.match(plans.flatMap(({ plan }) => plan).join('\n'), uses);
  }

  return {
    database,
    beside,
    prepared,
    planOf,
    plansOf,
    assertDirect,
    async close(): Promise<void> {
      DatabaseSync.prototype.prepare = reallyPrepare;
      beside.close();
      await database.close();
      remove();
    },
  };
}
