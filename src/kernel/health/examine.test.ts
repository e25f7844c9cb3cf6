// Tests how parts of an installation are read: errors become texts for operators, and one part does not stop the
// others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStorageErrors } from '../../platform/database/tally-storage-errors.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { DatabaseError } from '../../platform/values/database-error.ts';
import { makeAttempt } from './attempt.ts';
import { tryWriting } from './examine-installation.ts';
import { explainError } from './explain-error.ts';

test('errors of files are explained: the path, the cause and what to do', async () => {
  const error = (code: string, path?: string) =>
    Object.assign(new Error(`${code}: no luck, write`), { code, ...(path && { path }) });
  const attempt = makeAttempt({ clock: systemClock, patienceMs: 1_000, explain: explainError });
  const detailOf = async (code: string, path?: string) => {
    const observed = await attempt('disk', () => Promise.reject(error(code, path)));
    return 'detail' in observed ? observed.detail : '';
  };
  assert.equal(
    await detailOf('ENOSPC'),
    'ENOSPC: no luck, write: its disk is full: delete files there, or enlarge it',
  );
  assert.match(await detailOf('EPERM', '/data/x'), /^\/data\/x cannot be used \(EPERM\): let the/);
  assert.equal(explainError(error('EACCES')), 'EACCES: no luck, write');
});

test('errors of the connection to PostgreSQL are explained, other errors are not', () => {
  const advice = (code: string | undefined, text = 'no luck') => {
    const cause = Object.assign(new Error(text), code && { code });
    return explainError(new DatabaseError(cause)).slice(text.length);
  };
  assert.match(advice('28P01'), /^: correct user and password in DATABASE_URL/);
  assert.match(advice('57P03'), /^: the server is starting or stopping: wait/);
  assert.match(advice('EHOSTUNREACH'), /^: check the host in DATABASE_URL, and the network/);
  assert.match(advice(undefined, 'timeout exceeded when trying to connect'), /^: check the host/);
  assert.match(advice('ENOENT', 'connect ENOENT /run/postgresql/.s.PGSQL.5432'), /^: start the server/);
  assert.match(advice(undefined, 'The server does not support SSL connections'), /^: correct sslmode/);
  assert.equal(advice('57014', 'canceling statement due to statement timeout'), '');
  assert.equal(explainError(Object.assign(new Error('no luck'), { code: 'ECONNREFUSED' })), 'no luck');
  const noPassword = 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string';
  assert.match(explainError(new Error(noPassword)), /a string: correct user and password in DATABASE_URL/);
});

test('a part that takes too long is reported, and what was read has the time of its end', async () => {
  let nowMs = 1;
  const attempt = makeAttempt({ clock: { nowMs: () => nowMs }, patienceMs: 20, explain: String });
  const late = await attempt('disk', () => new Promise(() => {}));
  assert.deepEqual(late, { part: 'disk', detail: 'it took more than 0.02 seconds' });
  const read = attempt('disk', async () => {
    nowMs = 2;
    return 'full';
  });
  assert.deepEqual(await read, { part: 'disk', value: 'full', atMs: 2 });
});

test('a write that failed within the last minute is noticed, although the attempt to write succeeds', async () => {
  const storageErrors = makeStorageErrors({ clock: { nowMs: () => 0 } });
  const succeeds = { tryWrite: async () => {}, storageErrors };
  assert.deepEqual(await tryWriting(succeeds, explainError), { reason: undefined });
  storageErrors.note('disk-full', new Error('could not extend file "base/1/2"'));
  assert.deepEqual(await tryWriting(succeeds, explainError), { reason: 'disk-full' });
  const fails = { tryWrite: () => Promise.reject(new Error('no luck')), storageErrors };
  assert.deepEqual(await tryWriting(fails, explainError), { reason: undefined, detail: 'no luck' });
});
