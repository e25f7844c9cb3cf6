// Tests the rules of the health check that depend on the machine: clock, disk space, certificate and PostgreSQL server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseError } from '../../domain/database-error.ts';
import type { Finding, HealthFact } from '../../domain/health/finding.ts';
import { makeStorageErrors } from '../../domain/health/storage-errors.ts';
import { asSiteId } from '../../domain/ids.ts';
import { makeAttempt } from './attempt.ts';
import { judgeAge, judgeBackupFolder, judgeState, judgeUnscheduled } from './backups.ts';
import { judgeClock, withoutSyncsExplainedBy } from './clock.ts';
import { examineWriting, judgeServer } from './database.ts';
import { explainError } from './explain-error.ts';
import { judgeFile } from './file-checklist.ts';
import { judgeFolderError, judgeSpace } from './files.ts';
import { fault, ok, warning } from './finding.ts';
import {
  judgeCollation,
  judgeConnection,
  judgeDurability,
  judgeIsolation,
  judgePrimary,
  judgeRoom,
  judgeStandbys,
  judgeTimeouts,
} from './server-checklist.ts';
import { judgeCertificate } from './sites.ts';

const NOW_MS = Date.UTC(2026, 10, 16, 10, 0);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Each state and kind, such as `fault clock-off`. */
const say = (findings: Finding<{ kind: string }>[]) =>
  findings.map(({ state, fact }) => `${state} ${fact.kind}`);

const POSTGRESQL = { of: { kind: 'postgresql' } } as const;
const RECORD = { of: { kind: 'record' } } as const;

test('the clock is compared with each other clock; a record may be old but not of the future', () => {
  const judge = (aheadMs: number) => judgeClock(NOW_MS, [{ ...POSTGRESQL, aheadMs }]);
  const named = { nowMs: NOW_MS, sites: [], isDatabase: true };
  assert.deepEqual(judge(59_000), [ok({ kind: 'clock-ok', ...named })]);
  assert.deepEqual(judge(2 * MINUTE_MS), [warning({ kind: 'clock-off', aheadMs: 2 * MINUTE_MS, ...named })]);
  assert.deepEqual(judge(-400 * DAY_MS), [fault({ kind: 'clock-off', aheadMs: -400 * DAY_MS, ...named })]);
  assert.deepEqual(judgeClock(NOW_MS, [{ ...RECORD, aheadMs: -400 * DAY_MS }]), [
    ok({ kind: 'clock-ok', nowMs: NOW_MS, sites: [], isDatabase: false }),
  ]);
});

test('a record of the future is no fault of a clock that agrees with another one', () => {
  const record = { ...RECORD, aheadMs: 400 * DAY_MS };
  assert.deepEqual(judgeClock(NOW_MS, [record]), [
    fault({ kind: 'clock-behind-record', nowMs: NOW_MS, aheadMs: 400 * DAY_MS }),
  ]);
  assert.deepEqual(judgeClock(NOW_MS, [{ ...POSTGRESQL, aheadMs: 0 }, record]), [
    ok({ kind: 'clock-was-ahead', nowMs: NOW_MS, untilMs: NOW_MS + 400 * DAY_MS }),
  ]);
  const both = (aheadMs: number) => judgeClock(NOW_MS, [{ ...POSTGRESQL, aheadMs }, record]);
  assert.deepEqual(say(both(400 * DAY_MS)), ['fault clock-off'], 'which explains the record');
  assert.deepEqual(say(both(2 * MINUTE_MS)), ['warning clock-off', 'fault clock-behind-record']);
});

test('a clock that is behind explains syncs of the future, as far as it is behind', () => {
  const site = { siteId: asSiteId(1), site: 'Haus A' };
  const synced = (aheadMs: number) => warning({ kind: 'sync-future', atMs: NOW_MS + aheadMs, ...site });
  const findings = [synced(399 * DAY_MS), synced(500 * DAY_MS), ok({ kind: 'admins-ok', count: 2 })];
  const left = (aheadMs: number) =>
    withoutSyncsExplainedBy(judgeClock(NOW_MS, [{ ...POSTGRESQL, aheadMs }]), NOW_MS, findings);
  assert.deepEqual(left(400 * DAY_MS), findings.slice(1));
  assert.deepEqual(left(0), findings, 'a right clock explains nothing');
  assert.deepEqual(left(-400 * DAY_MS), findings, 'nor does a clock that is ahead');
});

test('other clocks that agree with each other are one finding', () => {
  const controller = (site: string, aheadMs: number) => ({
    of: { kind: 'controller', site } as const,
    aheadMs,
  });
  const late = [0, 1_000, -20_000, 59_000].map((ms, index) =>
    controller(`Haus ${index}`, 10 * MINUTE_MS + ms),
  );
  const findings = judgeClock(NOW_MS, [
    { ...POSTGRESQL, aheadMs: 10 * MINUTE_MS },
    ...late,
    controller('Haus B', -DAY_MS),
  ]);
  assert.deepEqual(findings, [
    fault({
      kind: 'clock-off',
      nowMs: NOW_MS,
      aheadMs: 10 * MINUTE_MS,
      sites: ['Haus 0', 'Haus 1', 'Haus 2', 'Haus 3'],
      isDatabase: true,
    }),
    fault({ kind: 'clock-off', nowMs: NOW_MS, aheadMs: -DAY_MS, sites: ['Haus B'], isDatabase: false }),
  ]);
});

test('little free space is a warning, almost none a fault', () => {
  const judge = (freeMb: number, totalMb: number) =>
    judgeSpace('/data', { freeBytes: freeMb * 1e6, totalBytes: totalMb * 1e6 });
  assert.deepEqual(judge(199, 1_000), fault({ kind: 'disk-full', path: '/data', freeMb: 199, percent: 19 }));
  assert.equal(judge(400, 10_000).state, 'warning');
  assert.equal(judge(600, 10_000).state, 'ok');
  assert.equal(judge(50_000, 2_000_000).state, 'ok', 'plenty on a large disk');
});

test('a certificate is a warning from 30 days before its end on, and if any is accepted', () => {
  const judge = (days: number, kind: 'ca' | 'insecure') => {
    const access = { url: 'https://192.0.2.1', credentials: { apiKey: 'k' }, trust: { kind } };
    return say(judgeCertificate({ id: asSiteId(2), name: 'Haus B', access }, NOW_MS + days * DAY_MS, NOW_MS));
  };
  assert.deepEqual(judge(31, 'ca'), ['ok certificate-ok']);
  assert.deepEqual(judge(29, 'ca'), ['warning certificate-ending']);
  assert.deepEqual(judge(-1, 'ca'), ['warning certificate-expired']);
  assert.deepEqual(judge(31, 'insecure'), ['warning certificate-insecure']);
});

test('an old PostgreSQL, another encoding and missing rights are reported', () => {
  const good = {
    version: '15.9',
    major: 15,
    encoding: 'UTF8',
    role: 'gastpass',
    schema: 'public',
    nowMs: NOW_MS,
    ip: '10.0.0.5',
    forbidden: [],
    mayMigrate: true,
    closedOwner: null,
  };
  assert.deepEqual(say(judgeServer(good)), ['ok postgresql-ok']);
  assert.deepEqual(
    say(judgeServer({ ...good, version: '13.4', major: 13, encoding: 'LATIN1', forbidden: ['vouchers'] })),
    ['fault postgresql-old', 'fault postgresql-encoding', 'fault postgresql-rights'],
  );
  assert.deepEqual(say(judgeServer({ ...good, mayMigrate: false })), ['ok postgresql-owner']);
  assert.deepEqual(say(judgeServer({ ...good, mayMigrate: false, closedOwner: 'owner' })), [
    'warning postgresql-later-rights',
  ]);
});

test('a backup that is older than two intervals is a fault, none yet a warning', () => {
  const judge = (ageH?: number) => {
    const made = { folder: '/b', name: 'x', startedAtMs: NOW_MS - (ageH ?? 0) * 60 * MINUTE_MS, bytes: 1 };
    return judgeAge(ageH === undefined ? undefined : made, { folder: '/b', intervalH: 24, nowMs: NOW_MS });
  };
  assert.deepEqual(say([judge(30), judge(49), judge(), judge(-2)]), [
    'ok backups-ok',
    'fault backups-late',
    'warning backups-none',
    'warning backups-future',
  ]);
});

test('the checklist of a server: durability, standbys, isolation, time-outs, room for connections, TLS', () => {
  const database = { url: 'postgres://db.example.org/x', poolSize: 10, statementTimeoutMs: 5_000 };
  const settings = { max_connections: '100', superuser_reserved_connections: '3', synchronous_commit: 'on' };
  const connections = { used: 4, ofRole: -1, ofDatabase: -1, standbys: 0 };

  assert.deepEqual(say(judgeDurability(settings)), ['ok durability-ok']);
  assert.deepEqual(
    say(judgeDurability({ fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' })),
    ['fault fsync-off', 'fault commit-off', 'warning page-writes-off'],
  );
  const synchronous = { ...settings, synchronous_standby_names: 'two' };
  const one = { ...connections, standbys: 1 };
  const judged = [
    judgeStandbys(one, synchronous),
    judgeStandbys(one, settings),
    judgeStandbys(connections, { ...synchronous, synchronous_commit: 'local' }),
    judgeIsolation({ default_transaction_isolation: 'serializable' }),
    judgeTimeouts({ statement_timeout: '0', lock_timeout: '6000' }, database),
    judgeRoom({ ...connections, ofDatabase: 12 }, settings, database),
    judgePrimary(true, settings),
    judgePrimary(false, { transaction_read_only: 'on' }),
  ];
  assert.deepEqual(say(judged), [
    'ok standbys-awaited',
    'warning standbys-not-awaited',
    'warning standbys-skipped',
    'warning isolation-other',
    'ok timeouts-ok',
    'warning room-tight',
    'fault primary-standby',
    'fault primary-read-only',
  ]);
  assert.deepEqual(judgeTimeouts({ statement_timeout: '1000', transaction_timeout: '60000' }, database), {
    state: 'warning',
    fact: {
      kind: 'timeouts-short',
      short: [{ name: 'statement_timeout', ms: 1_000 }],
      leastMs: 5_000,
      transactionMs: 60_000,
    },
  });
  const room = { used: 4, poolSize: 10, spare: 3 };
  assert.deepEqual(judgeRoom(connections, settings, database), ok({ kind: 'room-ok', room: 97, ...room }));
  assert.deepEqual(
    judgeRoom({ ...connections, ofRole: 9 }, settings, database),
    fault({ kind: 'room-missing', room: 9, ...room }),
  );
  const untold = [judgeIsolation({}), judgeRoom(connections, {}, database), ...judgeDurability({})];
  assert.deepEqual(say(untold), ['ok isolation-ok', 'ok room-untold', 'ok durability-ok']);
  const far = { isEncrypted: false, hasPooler: false, roundTripMs: 0.4 };
  const reached = [
    judgeConnection(far, database.url),
    judgeConnection(far, 'postgres://127.0.0.1/x'),
    judgeConnection(far, 'postgres:///x?host=/run/postgresql'),
    judgeConnection({ ...far, isEncrypted: true, roundTripMs: 35 }, database.url),
  ];
  assert.deepEqual(say(reached), [
    'warning connection-plain',
    'ok connection-ok',
    'ok connection-ok',
    'warning connection-slow',
  ]);
  assert.deepEqual(say(judgeCollation({ name: 'de_DE.UTF-8', recorded: '2.31', actual: '2.36' })), [
    'warning collation-changed',
  ]);
});

test('the checklist of an SQLite file: file system, journal, sync to disk', () => {
  const good = {
    fileSystem: undefined,
    version: '3.53.0',
    journalMode: 'wal',
    synchronous: 2,
    bytes: 4_096_000,
    walBytes: 0,
  };
  const judge = (facts: object) =>
    say(judgeFile({ ...good, ...facts }, '/data').filter(({ state }) => state !== 'ok'));
  assert.deepEqual(judge({}), []);
  assert.deepEqual(judge({ fileSystem: 'NFS' }), ['fault file-system-unsafe']);
  assert.deepEqual(judge({ fileSystem: 'FUSE' }), ['warning file-system-doubtful']);
  assert.deepEqual(judge({ fileSystem: 'tmpfs' }), ['fault file-system-lost']);
  assert.deepEqual(judge({ fileSystem: 'overlay' }), ['warning file-system-lost']);
  assert.deepEqual(judge({ journalMode: 'delete' }), ['fault journal-other']);
  assert.deepEqual(judge({ synchronous: 1 }), ['fault sync-to-disk-other']);
  assert.deepEqual(judge({ walBytes: 900_000_000 }), ['warning journal-large']);
});

test('without scheduled backups, real controllers make a warning, a demo does not', () => {
  const judge = (...kinds: ('simulator' | 'unifi')[]) =>
    judgeUnscheduled(kinds.map((controllerKind) => ({ controllerKind }))).state;
  assert.deepEqual([judge(), judge('simulator'), judge('simulator', 'unifi')], ['ok', 'ok', 'warning']);
});

test('writes that failed within the last minute are a fault, although the attempt to write succeeds', async () => {
  const storageErrors = makeStorageErrors({ clock: { nowMs: () => 0 } });
  const examined = { tryWrite: async () => {}, storageErrors };
  const how = { pages: 'unchecked', explain: explainError } as const;
  assert.equal((await examineWriting(examined, how)).state, 'ok');
  storageErrors.note('disk-full', new Error('could not extend file "base/1/2"'));
  assert.deepEqual(
    await examineWriting(examined, how),
    fault({ kind: 'database-disk', reason: 'disk-full' }),
  );
});

test('errors of files and folders are explained: the path, the cause and what to do', async () => {
  const error = (code: string, path?: string) =>
    Object.assign(new Error(`${code}: no luck, write`), { code, ...(path && { path }) });
  const readOnly = error('EROFS', '/data');
  const database = { url: 'postgres://db/gastpass', poolSize: 2, statementTimeoutMs: 100 };
  const judged = [
    judgeFolderError(readOnly, { dataDir: '/data', database: undefined }),
    judgeFolderError(readOnly, { dataDir: '/data', database }),
    judgeBackupFolder(readOnly, '/b'),
    judgeBackupFolder(error('ENOENT', '/b'), '/b'),
  ];
  assert.deepEqual(say(judged), [
    'fault folder-read-only',
    'ok folder-ok',
    'fault backups-read-only',
    'fault backups-no-folder',
  ]);
  assert.deepEqual(
    judgeFolderError(error('EACCES', '/data/x'), { dataDir: '/data', database }),
    fault({ kind: 'folder-locked', path: '/data/x', code: 'EACCES' }),
  );
  assert.deepEqual(
    judgeBackupFolder(error('EACCES', '/b'), '/b'),
    fault({ kind: 'backups-locked', path: '/b', code: 'EACCES' }),
  );

  const attempt = makeAttempt(1_000);
  const detailOf = async (code: string, path?: string) => {
    const [finding] = await attempt<HealthFact>('disk', () => Promise.reject(error(code, path)));
    return finding?.fact.kind === 'not-examined' ? finding.fact.detail : '';
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

test('the file of the newest backup is judged by its state', () => {
  const newest = { folder: '/b', name: 'n', startedAtMs: 0, bytes: 1 };
  assert.equal(judgeState(newest, 'intact'), undefined);
  assert.equal(judgeState(undefined, 'gone'), undefined);
  const changed = fault({ kind: 'backup-changed', path: '/b/n' });
  assert.deepEqual(judgeState(newest, 'gone'), changed);
  assert.deepEqual(judgeState(newest, 'changed'), changed);
  assert.deepEqual(judgeState(newest, 'unreadable'), fault({ kind: 'backup-unread', path: '/b/n' }));
});
