// Tests the rules of the health check: each fact that was read, and the finding that it makes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeClock, withoutSyncsExplainedBy } from '../clock-check/judge-clock.ts';
import { asSiteId } from '../ids.ts';
import { judgeCertificate } from '../sites/judge-sites.ts';
import { type Finding, fault, passed, warning } from './finding.ts';
import { type BackupFacts, judgeBackups } from './judge-backups.ts';
import { judgeFolder, judgeSpace } from './judge-data-folder.ts';
import { judgeDatabaseFile, judgeWriting } from './judge-database.ts';
import {
  judgeCollation,
  judgeConnection,
  judgeDurability,
  judgeIsolation,
  judgePrimary,
  judgeRoom,
  judgeServer,
  judgeStandbys,
  judgeTimeouts,
} from './judge-postgres.ts';

const NOW_MS = Date.UTC(2026, 10, 16, 10, 0);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Each state and kind, such as `fault clock-off`. */
const say = (findings: Finding<{ kind: string }>[]) =>
  findings.map(({ state, fact }) => `${state} ${fact.kind}`);

const fileError = (code: string, path: string) =>
  Object.assign(new Error(`${code}: no luck, write`), { code, path });

const NEWEST = { folder: '/b', name: 'n', startedAtMs: NOW_MS, bytes: 1 };
const judgeScheduled = (facts: Partial<BackupFacts & { kind: 'scheduled' }>) =>
  judgeBackups(
    {
      kind: 'scheduled',
      folder: '/b',
      intervalH: 24,
      newest: NEWEST,
      state: 'intact',
      hasSecret: true,
      isOnSameDisk: false,
      ...facts,
    },
    NOW_MS,
  );

test('the clock is compared with each other clock; a record may be old but not of the future', () => {
  const judge = (aheadMs: number) => judgeClock(NOW_MS, [{ aheadMs }]);
  const named = { nowMs: NOW_MS, sites: [], isDatabase: true };
  assert.deepEqual(judge(59_000), [passed({ kind: 'clock-ok', ...named })]);
  assert.deepEqual(judge(2 * MINUTE_MS), [warning({ kind: 'clock-off', aheadMs: 2 * MINUTE_MS, ...named })]);
  assert.deepEqual(judge(-400 * DAY_MS), [fault({ kind: 'clock-off', aheadMs: -400 * DAY_MS, ...named })]);
  assert.deepEqual(judgeClock(NOW_MS, [], { lastRecordMs: NOW_MS - 400 * DAY_MS }), [
    passed({ kind: 'clock-ok', nowMs: NOW_MS, sites: [], isDatabase: false }),
  ]);
});

test('a record of the future is no fault of a clock that agrees with another one', () => {
  const dates = { lastRecordMs: NOW_MS + 400 * DAY_MS };
  assert.deepEqual(judgeClock(NOW_MS, [], dates), [
    fault({ kind: 'clock-behind-record', nowMs: NOW_MS, aheadMs: 400 * DAY_MS }),
  ]);
  assert.deepEqual(judgeClock(NOW_MS, [{ aheadMs: 0 }], dates), [
    passed({ kind: 'clock-was-ahead', nowMs: NOW_MS, untilMs: NOW_MS + 400 * DAY_MS }),
  ]);
  const both = (aheadMs: number) => judgeClock(NOW_MS, [{ aheadMs }], dates);
  assert.deepEqual(say(both(400 * DAY_MS)), ['fault clock-off'], 'which explains the record');
  assert.deepEqual(say(both(2 * MINUTE_MS)), ['warning clock-off', 'fault clock-behind-record']);
});

test('an earlier record of the future is a warning, unless another clock shows the same or agrees', () => {
  const dates = { lastRecordMs: NOW_MS, newestDateMs: NOW_MS + DAY_MS };
  const judge = (...clocks: number[]) =>
    say(
      judgeClock(
        NOW_MS,
        clocks.map((aheadMs) => ({ aheadMs })),
        dates,
      ),
    );
  assert.deepEqual(judge(), ['warning clock-set-back']);
  assert.deepEqual(judge(0), ['ok clock-was-ahead']);
  assert.deepEqual(judge(DAY_MS), ['fault clock-off']);
});

test('a clock that is behind explains syncs of the future, as far as it is behind', () => {
  const site = { siteId: asSiteId(1), site: 'Haus A' };
  const synced = (aheadMs: number) => warning({ kind: 'sync-future', atMs: NOW_MS + aheadMs, ...site });
  const findings = [synced(399 * DAY_MS), synced(500 * DAY_MS), passed({ kind: 'admins-ok', count: 2 })];
  const left = (aheadMs: number) =>
    withoutSyncsExplainedBy(judgeClock(NOW_MS, [{ aheadMs }]), NOW_MS, findings);
  assert.deepEqual(left(400 * DAY_MS), findings.slice(1));
  assert.deepEqual(left(0), findings, 'a right clock explains nothing');
  assert.deepEqual(left(-400 * DAY_MS), findings, 'nor does a clock that is ahead');
});

test('other clocks that agree with each other are one finding', () => {
  const late = [0, 1_000, -20_000, 59_000].map((ms, index) => ({
    site: `Haus ${index}`,
    aheadMs: 10 * MINUTE_MS + ms,
  }));
  const findings = judgeClock(NOW_MS, [
    { aheadMs: 10 * MINUTE_MS },
    ...late,
    { site: 'Haus B', aheadMs: -DAY_MS },
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
    const connection = { url: 'https://192.0.2.1', credentials: { apiKey: 'k' }, trust: { kind } };
    return say(
      judgeCertificate({ id: asSiteId(2), name: 'Haus B', connection }, NOW_MS + days * DAY_MS, NOW_MS),
    );
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

test('the checklist of a server: durability, standbys, isolation, time-outs, room for connections, TLS', () => {
  const url = 'postgres://db.example.org/x';
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
    judgeTimeouts({ statement_timeout: '0', lock_timeout: '6000' }, 5_000),
    judgeRoom({ ...connections, ofDatabase: 12 }, settings, 10),
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
  assert.deepEqual(judgeTimeouts({ statement_timeout: '1000', transaction_timeout: '60000' }, 5_000), {
    state: 'warning',
    fact: {
      kind: 'timeouts-short',
      short: [{ name: 'statement_timeout', ms: 1_000 }],
      leastMs: 5_000,
      transactionMs: 60_000,
    },
  });
  const room = { used: 4, poolSize: 10, spare: 3 };
  assert.deepEqual(judgeRoom(connections, settings, 10), passed({ kind: 'room-ok', room: 97, ...room }));
  assert.deepEqual(
    judgeRoom({ ...connections, ofRole: 9 }, settings, 10),
    fault({ kind: 'room-missing', room: 9, ...room }),
  );
  const untold = [judgeIsolation({}), judgeRoom(connections, {}, 10), ...judgeDurability({})];
  assert.deepEqual(say(untold), ['ok isolation-ok', 'ok room-untold', 'ok durability-ok']);
  const far = { isEncrypted: false, hasPooler: false, roundTripMs: 0.4 };
  const reached = [
    judgeConnection(far, url),
    judgeConnection(far, 'postgres://127.0.0.1/x'),
    judgeConnection(far, 'postgres:///x?host=/run/postgresql'),
    judgeConnection({ ...far, isEncrypted: true, roundTripMs: 35 }, url),
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

test('the checklist of an SQLite file: file system, journal', () => {
  const good = {
    fileSystem: undefined,
    version: '3.53.0',
    journalMode: 'wal',
    bytes: 4_096_000,
    walBytes: 0,
  };
  const judge = (facts: object) =>
    say(judgeDatabaseFile({ ...good, ...facts }, '/data').filter(({ state }) => state !== 'ok'));
  assert.deepEqual(judge({}), []);
  assert.deepEqual(judge({ fileSystem: 'NFS' }), ['fault file-system-unsafe']);
  assert.deepEqual(judge({ fileSystem: 'FUSE' }), ['warning file-system-doubtful']);
  assert.deepEqual(judge({ fileSystem: 'tmpfs' }), ['fault file-system-lost']);
  assert.deepEqual(judge({ fileSystem: 'overlay' }), ['warning file-system-lost']);
  assert.deepEqual(judge({ journalMode: 'delete' }), ['fault journal-other']);
  assert.deepEqual(judge({ walBytes: 900_000_000 }), ['warning journal-large']);
});

test('a backup that is older than two intervals is a fault, none yet a warning', () => {
  const judge = (ageH?: number) => {
    const startedAtMs = NOW_MS - (ageH ?? 0) * 60 * MINUTE_MS;
    return judgeScheduled({ newest: ageH === undefined ? undefined : { ...NEWEST, startedAtMs } });
  };
  assert.deepEqual(say([...judge(30), ...judge(49), ...judge(), ...judge(-2)]), [
    'ok backups-ok',
    'fault backups-late',
    'warning backups-none',
    'warning backups-future',
  ]);
});

test('the file of the newest backup is judged by its state', () => {
  const judge = (state: 'intact' | 'gone' | 'changed' | 'unreadable') => judgeScheduled({ state });
  assert.deepEqual(say(judge('intact')), ['ok backups-ok']);
  const changed = fault({ kind: 'backup-changed', path: '/b/n' });
  assert.deepEqual([...judge('gone'), ...judge('changed')], [changed, changed]);
  assert.deepEqual(judge('unreadable'), [fault({ kind: 'backup-unread', path: '/b/n' })]);
  assert.deepEqual(say(judgeScheduled({ state: 'gone', newest: undefined })), ['warning backups-none']);
});

test('backups that nobody can open without the file of the secret are a warning', () => {
  assert.deepEqual(say(judgeScheduled({ hasSecret: false })), [
    'ok backups-ok',
    'warning backups-without-secret',
  ]);
});

test('backups on the disk of the database are a warning', () => {
  assert.deepEqual(say(judgeScheduled({ isOnSameDisk: true })), [
    'ok backups-ok',
    'warning backups-on-same-disk',
  ]);
});

test('without scheduled backups, real controllers make a warning, a demo does not', () => {
  const judge = (...kinds: ('simulator' | 'unifi')[]) =>
    say(
      judgeBackups(
        { kind: 'unscheduled', sites: kinds.map((controllerKind) => ({ controllerKind })) },
        NOW_MS,
      ),
    );
  assert.deepEqual(
    [judge(), judge('simulator'), judge('simulator', 'unifi')],
    [['ok backups-off'], ['ok backups-off'], ['warning backups-missing']],
  );
});

test('a database is judged by an attempt to write, and by the writes of the last minute', () => {
  const judge = (facts: Parameters<typeof judgeWriting>[0]) => judgeWriting(facts, 'unchecked');
  assert.deepEqual(judge({ reason: undefined }), passed({ kind: 'database-ok', pages: 'unchecked' }));
  assert.deepEqual(
    judge({ reason: 'disk-full' }),
    fault({ kind: 'database-disk', reason: 'disk-full' }),
    'although the attempt succeeds',
  );
  assert.deepEqual(
    judge({ reason: 'io-error', detail: 'no luck' }),
    fault({ kind: 'database-disk', reason: 'io-error', detail: 'no luck' }),
  );
  assert.deepEqual(
    judge({ reason: undefined, detail: 'locked' }),
    fault({ kind: 'database-unwritable', detail: 'locked' }),
  );
});

test('a data folder is missing, a file, open to others, locked or read-only', () => {
  const judge = (facts: Parameters<typeof judgeFolder>[0], isOnPostgres = false) =>
    judgeFolder(facts, { path: '/data', isOnPostgres });
  const readOnly = { error: fileError('EROFS', '/data') };
  const judged = [
    judge('missing'),
    judge('file'),
    judge({ mode: 0o40700 }),
    judge({ mode: 0o40750 }),
    judge(readOnly),
    judge(readOnly, true),
  ];
  assert.deepEqual(say(judged), [
    'fault folder-missing',
    'fault folder-is-file',
    'ok folder-ok',
    'warning folder-open',
    'fault folder-read-only',
    'ok folder-ok',
  ]);
  assert.deepEqual(
    judge({ error: fileError('EACCES', '/data/x') }, true),
    fault({ kind: 'folder-locked', path: '/data/x', code: 'EACCES' }),
  );
});

test('a folder for backups is missing, read-only or locked', () => {
  const judge = (code: string) =>
    judgeBackups({ kind: 'folder-unusable', folder: '/b', error: fileError(code, '/b') }, NOW_MS);
  assert.deepEqual(say([...judge('EROFS'), ...judge('ENOENT')]), [
    'fault backups-read-only',
    'fault backups-no-folder',
  ]);
  assert.deepEqual(judge('EACCES'), [fault({ kind: 'backups-locked', path: '/b', code: 'EACCES' })]);
});
