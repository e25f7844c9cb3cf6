// Loaded into the process of `gastpass migrate` with --import: kills the process at the step that KILL_AT names. The
// steps are found by the statements that they run, so the command itself knows nothing about them.

import { DatabaseSync } from 'node:sqlite';

const wanted = process.env.KILL_AT;
let isMigrating = false;

function reach(step: string): void {
  if (step === wanted) process.kill(process.pid, 'SIGKILL');
}

/** Returns the step that follows when the statement has run. */
function watch(sql: string, version: unknown): string | undefined {
  if (/^(pragma user_version =|insert into schema_version)/.test(sql)) {
    isMigrating = true;
    reach(`in migration ${version}`);
  }
  if (!isMigrating || sql !== 'commit') return undefined;
  reach('before the commit');
  return 'after the commit';
}

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  const next = watch(sql, /\d+$/.exec(sql)?.[0]);
  exec.call(this, sql);
  if (next) reach(next);
};

if (process.env.DATABASE_URL) {
  const { default: pg } = await import('pg');
  const query: (...words: unknown[]) => unknown = pg.Client.prototype.query;
  const watched = function (this: unknown, ...words: unknown[]): unknown {
    const [sql, values] = words;
    const next = typeof sql === 'string' ? watch(sql, Array.isArray(values) && values[0]) : undefined;
    const response = query.call(this, ...words);
    if (!next || !(response instanceof Promise)) return response;
    return response.then((value) => {
      reach(next);
      return value;
    });
  };
  Object.assign(pg.Client.prototype, { query: watched });
}
