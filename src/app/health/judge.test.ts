// Tests the rules of the health check that depend on the machine: clock, disk space, certificate and PostgreSQL server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseError } from '../../domain/database-error.ts';
import { makeStorageErrors } from '../../domain/health/storage-errors.ts';
import { asSiteId } from '../../domain/ids.ts';
import { makeAttempt } from './attempt.ts';
import { judgeAge, judgeBackupFolder, judgeState, judgeUnscheduled } from './backups.ts';
import { judgeClock, withoutSyncsExplainedBy } from './clock.ts';
import { examineWriting, judgeServer } from './database.ts';
import { explainError } from './explain-error.ts';
import { judgeFile } from './file-checklist.ts';
import { judgeFolderError, judgeSpace } from './files.ts';
import { type Finding, fault, ok } from './finding.ts';
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
import { adviceFor, judgeCertificate } from './sites.ts';

const NOW_MS = Date.UTC(2026, 10, 16, 10, 0);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const say = (findings: Finding[]) => findings.map(({ state, text }) => `${state}: ${text}`);

const POSTGRESQL = { of: 'PostgreSQL', other: { kind: 'postgresql' } } as const;
const RECORD = { of: 'the newest record', other: { kind: 'record' } } as const;

test('the clock is compared with each other clock; a record may be old but not of the future', () => {
  const judge = (aheadMs: number) => say(judgeClock(NOW_MS, [{ ...POSTGRESQL, aheadMs }]));
  const clock = "this machine's clock (2026-11-16 10:00 UTC) is";
  const fix = 'correct it with timedatectl set-ntp true, or correct the clock of PostgreSQL';
  assert.deepEqual(judge(59_000), ['ok: 2026-11-16 10:00 UTC, agrees with PostgreSQL']);
  assert.deepEqual(judge(2 * MINUTE_MS), [`warning: ${clock} 2 min behind PostgreSQL: ${fix}`]);
  assert.deepEqual(judge(-400 * DAY_MS), [`fault: ${clock} 400 days ahead of PostgreSQL: ${fix}`]);
  assert.deepEqual(say(judgeClock(NOW_MS, [{ ...RECORD, aheadMs: -400 * DAY_MS }])), [
    'ok: 2026-11-16 10:00 UTC, no record is newer',
  ]);
});

test('a record of the future is no fault of a clock that agrees with another one', () => {
  const record = { ...RECORD, aheadMs: 400 * DAY_MS };
  const [alone = ''] = say(judgeClock(NOW_MS, [record]));
  assert.match(
    alone,
    /^fault: .* is 400 days behind the newest record: correct it .*; if it is right now, it was ahead once/,
  );
  assert.deepEqual(say(judgeClock(NOW_MS, [{ ...POSTGRESQL, aheadMs: 0 }, record])), [
    'ok: 2026-11-16 10:00 UTC, agrees with PostgreSQL; it was ahead once: a record is dated 2027-12-21 10:00 UTC',
  ]);
  const both = (aheadMs: number) => judgeClock(NOW_MS, [{ ...POSTGRESQL, aheadMs }, record]);
  const kindsOf = (findings: Finding[]) => findings.map(({ state, fact }) => `${state} ${fact?.kind}`);
  assert.deepEqual(kindsOf(both(400 * DAY_MS)), ['fault clock-off'], 'which explains the record');
  assert.deepEqual(kindsOf(both(2 * MINUTE_MS)), ['warning clock-off', 'fault clock-behind-record']);
});

test('a clock that is behind explains syncs of the future, as far as it is behind', () => {
  const synced = (aheadMs: number) => {
    const fact = {
      kind: 'sync-future',
      atMs: NOW_MS + aheadMs,
      siteId: asSiteId(1),
      site: 'Haus A',
    } as const;
    return fault(`sync, ${aheadMs / DAY_MS} days ahead`, 'of the future', fact);
  };
  const findings = [synced(399 * DAY_MS), synced(500 * DAY_MS), ok('users', 'two')];
  const left = (aheadMs: number) =>
    withoutSyncsExplainedBy(judgeClock(NOW_MS, [{ ...POSTGRESQL, aheadMs }]), NOW_MS, findings).map(
      ({ about }) => about,
    );
  assert.deepEqual(left(400 * DAY_MS), ['sync, 500 days ahead', 'users']);
  const all = findings.map(({ about }) => about);
  assert.deepEqual(left(0), all, 'a right clock explains nothing');
  assert.deepEqual(left(-400 * DAY_MS), all, 'nor does a clock that is ahead');
});

test('other clocks that agree with each other are one finding', () => {
  const controller = (site: string, aheadMs: number) => ({
    of: `the controller of ${site}` as const,
    aheadMs,
    other: { kind: 'controller', site } as const,
  });
  const late = [0, 1_000, -20_000, 59_000].map((ms, index) =>
    controller(`Haus ${index}`, 10 * MINUTE_MS + ms),
  );
  const findings = judgeClock(NOW_MS, [
    { ...POSTGRESQL, aheadMs: 10 * MINUTE_MS },
    ...late,
    controller('Haus B', -DAY_MS),
  ]);
  assert.deepEqual(say(findings), [
    "fault: this machine's clock (2026-11-16 10:00 UTC) is 10 min behind PostgreSQL, the controller of Haus 0, the controller of Haus 1 and 2 more: correct it with timedatectl set-ntp true",
    "fault: this machine's clock (2026-11-16 10:00 UTC) is 24 h ahead of the controller of Haus B: correct it with timedatectl set-ntp true, or correct the clock of the controller of Haus B",
  ]);
  assert.partialDeepStrictEqual(findings[0]?.fact, {
    sites: ['Haus 0', 'Haus 1', 'Haus 2', 'Haus 3'],
    isDatabase: true,
  });
});

test('little free space is a warning, almost none a fault', () => {
  const judge = (freeMb: number, totalMb: number) =>
    judgeSpace('/data', { freeBytes: freeMb * 1e6, totalBytes: totalMb * 1e6 });
  assert.partialDeepStrictEqual(judge(199, 1_000), {
    state: 'fault',
    about: 'disk',
    text: 'only 199 MB (19 %) free on the disk of /data: delete files there, or enlarge the disk; vouchers fail when it is full',
  });
  assert.equal(judge(400, 10_000).state, 'warning');
  assert.equal(judge(600, 10_000).state, 'ok');
  assert.equal(judge(50_000, 2_000_000).state, 'ok', 'plenty on a large disk');
});

test('a certificate is a warning from 30 days before its end on, and if any is accepted', () => {
  const judge = (days: number, kind: 'ca' | 'insecure') => {
    const access = { url: 'https://192.0.2.1', credentials: { apiKey: 'k' }, trust: { kind } };
    return say(judgeCertificate({ id: asSiteId(2), name: 'Haus B', access }, NOW_MS + days * DAY_MS, NOW_MS));
  };
  assert.deepEqual(judge(31, 'ca'), ['ok: valid until 2026-12-17']);
  assert.deepEqual(judge(29, 'ca'), [
    'warning: expires on 2026-12-15, in 29 days: renew it on the controller',
  ]);
  assert.match(
    judge(31, 'insecure')[0] ?? '',
    /^warning: any certificate is accepted.*--fingerprint SHA256$/,
  );
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
  assert.deepEqual(say(judgeServer(good)), ['ok: version 15.9, the role gastpass has its rights']);
  assert.deepEqual(
    say(judgeServer({ ...good, version: '13.4', major: 13, encoding: 'LATIN1', forbidden: ['vouchers'] })),
    [
      'fault: version 13.4 is too old: upgrade the server to 14 or newer',
      "fault: the database has the encoding LATIN1: move it to one created with encoding 'UTF8' template template0",
      'fault: the role gastpass may not read and write vouchers: grant select, insert, update, delete on all tables in schema public to gastpass',
    ],
  );
  assert.match(
    say(judgeServer({ ...good, mayMigrate: false }))[0] ?? '',
    /^ok: .*before a new release starts, run gastpass migrate as their owner$/,
  );
  assert.deepEqual(say(judgeServer({ ...good, mayMigrate: false, closedOwner: 'owner' })), [
    'warning: the role gastpass lacks rights on tables that a later release adds: alter default privileges for role owner in schema public grant select, insert, update, delete on tables to gastpass',
  ]);
});

test('a backup that is older than two intervals is a fault, none yet a warning', () => {
  const judge = (ageH?: number) => {
    const made = { folder: '/b', name: 'x', startedAtMs: NOW_MS - (ageH ?? 0) * 60 * MINUTE_MS, bytes: 1 };
    return judgeAge(ageH === undefined ? undefined : made, { folder: '/b', intervalH: 24, nowMs: NOW_MS });
  };
  assert.deepEqual(say([judge(30)]), ['ok: the newest is 30 h old (/b/x)']);
  assert.deepEqual(say([judge(49)]), [
    'fault: the newest is 2 days old, although one is due every 24 h: start the service, and search its log for "backup failed"',
  ]);
  assert.equal(judge().state, 'warning');
  assert.match(judge(-2).text, /in the future: correct the clock/);
});

test('the checklist of a server: durability, standbys, isolation, time-outs, room for connections, TLS', () => {
  const database = { url: 'postgres://db.example.org/x', poolSize: 10, statementTimeoutMs: 5_000 };
  const settings = { max_connections: '100', superuser_reserved_connections: '3', synchronous_commit: 'on' };
  const connections = { used: 4, ofRole: -1, ofDatabase: -1, standbys: 0 };
  const stateOf = (finding: Finding) => `${finding.state}: ${finding.text}`;

  assert.deepEqual(say(judgeDurability(settings)), ['ok: synchronous_commit = on']);
  assert.deepEqual(
    judgeDurability({ fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }).map(
      ({ state }) => state,
    ),
    ['fault', 'fault', 'warning'],
  );
  const synchronous = { ...settings, synchronous_standby_names: 'two' };
  assert.equal(
    stateOf(judgeStandbys({ ...connections, standbys: 1 }, synchronous)),
    'ok: a commit waits for a standby',
  );
  assert.match(
    stateOf(judgeStandbys({ ...connections, standbys: 1 }, settings)),
    /^warning: .*synchronous_mode: true$/,
  );
  assert.equal(judgeStandbys(connections, { ...synchronous, synchronous_commit: 'local' }).state, 'warning');
  assert.equal(judgeIsolation({ default_transaction_isolation: 'serializable' }).state, 'warning');
  assert.equal(judgeTimeouts({ statement_timeout: '0', lock_timeout: '6000' }, database).state, 'ok');
  assert.match(
    stateOf(judgeTimeouts({ statement_timeout: '1000', transaction_timeout: '60000' }, database)),
    /^warning: statement_timeout is 1000 ms, .*; transaction_timeout is 60000 ms/,
  );
  assert.match(stateOf(judgeRoom(connections, settings, database)), /^ok: room for 97, 4 in use/);
  assert.match(stateOf(judgeRoom({ ...connections, ofRole: 9 }, settings, database)), /^fault: room for 9, /);
  assert.equal(judgeRoom({ ...connections, ofDatabase: 12 }, settings, database).state, 'warning');
  for (const untold of [judgeIsolation({}), judgeRoom(connections, {}, database), ...judgeDurability({})])
    assert.equal(stateOf(untold), 'ok: not told by the server');
  const far = { isEncrypted: false, hasPooler: false, roundTripMs: 0.4 };
  assert.match(stateOf(judgeConnection(far, database.url)), /^warning: not encrypted, .*sslmode=verify-full/);
  assert.equal(judgeConnection(far, 'postgres://127.0.0.1/x').state, 'ok');
  assert.equal(judgeConnection(far, 'postgres:///x?host=/run/postgresql').state, 'ok');
  assert.match(
    stateOf(judgeConnection({ ...far, isEncrypted: true, roundTripMs: 35 }, database.url)),
    /^warning: encrypted, without a pooler, 35.0 ms per round trip, and a creation takes four/,
  );
  assert.equal(judgePrimary(true, settings).state, 'fault');
  assert.match(
    stateOf(judgePrimary(false, { transaction_read_only: 'on' })),
    /^fault: transactions are read-only/,
  );
  assert.deepEqual(
    judgeCollation({ name: 'de_DE.UTF-8', recorded: '2.31', actual: '2.36' }).map(({ state }) => state),
    ['warning'],
  );
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
    judgeFile({ ...good, ...facts }, '/data').filter(({ state }) => state !== 'ok');
  assert.deepEqual(judge({}), []);
  assert.match(
    say(judge({ fileSystem: 'NFS' }))[0] ?? '',
    /^fault: \/data is on NFS, where SQLite can lose records/,
  );
  assert.match(say(judge({ fileSystem: 'tmpfs' }))[0] ?? '', /^fault: .*lost at the next restart/);
  assert.match(say(judge({ fileSystem: 'overlay' }))[0] ?? '', /^warning: .*mount a volume there$/);
  assert.equal(judge({ journalMode: 'delete' })[0]?.about, 'journal mode');
  assert.equal(judge({ walBytes: 900_000_000 })[0]?.state, 'warning');
});

test('without scheduled backups, real controllers make a warning, a demo does not', () => {
  const judge = (...kinds: ('simulator' | 'unifi')[]) =>
    judgeUnscheduled(kinds.map((controllerKind) => ({ controllerKind }))).state;
  assert.deepEqual([judge(), judge('simulator'), judge('simulator', 'unifi')], ['ok', 'ok', 'warning']);
});

test('the advice about a changed certificate does not repeat the condition of the failure', () => {
  const site = { id: asSiteId(2), controllerKind: 'unifi' as const };
  assert.equal(adviceFor(site, { cause: 'other-certificate' }), 'gastpass sites set 2 --fingerprint SHA256');
});

test('writes that failed within the last minute are a fault, although the attempt to write succeeds', async () => {
  const storageErrors = makeStorageErrors({ clock: { nowMs: () => 0 } });
  const examined = { tryWrite: async () => {}, storageErrors };
  assert.equal((await examineWriting(examined, '')).state, 'ok');
  storageErrors.note('disk-full', new Error('could not extend file "base/1/2"'));
  assert.deepEqual(await examineWriting(examined, ''), {
    state: 'fault',
    about: 'database',
    text: 'writes failed within the last minute (disk full): delete files on the disk of the database, or enlarge it',
    fact: { kind: 'database-disk', reason: 'disk-full' },
  });
});

test('errors of files and folders are explained: the path, the cause and what to do', async () => {
  const error = (code: string, path?: string) =>
    Object.assign(new Error(`${code}: no luck, write`), { code, ...(path && { path }) });
  const readOnly = error('EROFS', '/data');
  const ofData = judgeFolderError(readOnly, { dataDir: '/data', database: undefined });
  assert.match(
    ofData.text,
    /^\/data cannot be used \(EROFS\): its file system is read-only: mount it writable/,
  );
  assert.equal(ofData.fact?.kind, 'folder-read-only');
  const database = { url: 'postgres://db/gastpass', poolSize: 2, statementTimeoutMs: 100 };
  assert.equal(judgeFolderError(readOnly, { dataDir: '/data', database }).state, 'ok');
  assert.equal(judgeBackupFolder(readOnly, '/b').fact?.kind, 'backups-read-only');
  assert.match(
    judgeBackupFolder(error('ENOENT', '/b'), '/b').text,
    /^\/b does not exist: mount it, or create/,
  );
  assert.match(
    judgeBackupFolder(error('EACCES', '/b'), '/b').text,
    /^\/b cannot be used \(EACCES\): let the service's user/,
  );

  const attempt = makeAttempt(1_000);
  const [full] = await attempt('disk', () => Promise.reject(error('ENOSPC')));
  assert.equal(
    full?.text,
    'cannot be examined: ENOSPC: no luck, write: its disk is full: delete files there, or enlarge it',
  );
  const [locked] = await attempt('disk', () => Promise.reject(error('EPERM', '/data/x')));
  assert.match(locked?.text ?? '', /^cannot be examined: \/data\/x cannot be used \(EPERM\): let the/);
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
  assert.match(
    judgeState(newest, 'gone')?.text ?? '',
    /^\/b\/n is gone: the running service makes a new one/,
  );
  assert.match(judgeState(newest, 'changed')?.text ?? '', /^\/b\/n has another size than when it was made: /);
  assert.equal(judgeState(newest, 'unreadable')?.fact?.kind, 'backup-unread');
});
