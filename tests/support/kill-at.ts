// Loaded into the process of `gastpass rekey` with --import: kills the process at the step that KILL_AT names. The
// steps are found by the calls that they make, so the command itself knows nothing about them.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

export const FILE_STEPS = ['before draft', 'after draft', 'before rename', 'after rename'];
export const DATABASE_STEPS = ['in the transaction', 'before commit', 'after commit'];

const wanted = process.env.KILL_AT;
/** True once a value has been sealed anew: earlier commits belong to the opening of the database. */
let isRenewing = false;

function reach(step: string): void {
  if (step === wanted) process.kill(process.pid, 'SIGKILL');
}

function watchStatement(sql: string): void {
  if (!/^\s*update .*sealed_/.test(sql)) return;
  if (sql.includes('webhooks')) reach('in the transaction');
  isRenewing = true;
}

function watchFiles(): void {
  const { writeFileSync, renameSync } = fs;
  fs.writeFileSync = (file, ...rest) => {
    const isDraft = String(file).endsWith('secret.new');
    if (isDraft) reach('before draft');
    writeFileSync(file, ...rest);
    if (isDraft) reach('after draft');
  };
  fs.renameSync = (from, to) => {
    reach('before rename');
    renameSync(from, to);
    reach('after rename');
  };
  syncBuiltinESMExports();
}

function watchSqlite(): void {
  const { prepare } = DatabaseSync.prototype;
  const { run } = StatementSync.prototype;
  DatabaseSync.prototype.prepare = function (sql, ...rest) {
    watchStatement(sql);
    return prepare.call(this, sql, ...rest);
  };
  StatementSync.prototype.run = function (...values: never[]) {
    const isCommit = isRenewing && this.sourceSQL === 'commit';
    if (isCommit) reach('before commit');
    const changes = Reflect.apply(run, this, values);
    if (isCommit) reach('after commit');
    return changes;
  };
}

async function watchPostgres(): Promise<void> {
  const { default: pg } = await import('pg');
  const query: (...words: unknown[]) => unknown = pg.Client.prototype.query;
  const watched = function (this: unknown, ...words: unknown[]): unknown {
    const [text] = words;
    if (typeof text !== 'string') return query.call(this, ...words);
    watchStatement(text);
    const isCommit = isRenewing && text === 'commit';
    if (isCommit) reach('before commit');
    const response = query.call(this, ...words);
    return isCommit && response instanceof Promise
      ? response.then((value) => {
          reach('after commit');
          return value;
        })
      : response;
  };
  Object.assign(pg.Client.prototype, { query: watched });
}

if (wanted !== undefined) {
  watchFiles();
  watchSqlite();
  if (process.env.DATABASE_URL) await watchPostgres();
}
