// Tests the rules about the service and its surroundings: who answers on its port, its instances, its address, its
// secret and its users.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeUsers } from '../users/judge-users.ts';
import { type Finding, fault, passed, warning } from './finding.ts';
import { judgeSecrets } from './judge-secrets.ts';
import { judgeInstances, judgeService, type PortResponse } from './judge-service.ts';
import { judged } from './observed.ts';

const say = (findings: Finding<{ kind: string }>[]) =>
  findings.map(({ state, fact }) => `${state} ${fact.kind}`);

const SERVICE = { url: 'http://127.0.0.1:8080', port: 8080, dataDir: '/data', installed: '2.0.0' };
const responding: PortResponse[] = [
  { from: 'gastpass', version: '2.0.0', obstacles: [] },
  { from: 'not-asked' },
  { from: 'silence' },
  { from: 'another program' },
  { from: 'nothing' },
];

test('a service is judged by the lock on its folder, and by who answers on its port', () => {
  const judge = (isOnPostgres: boolean, isFolderServed: boolean) =>
    say(responding.map((response) => judgeService({ ...SERVICE, response, isOnPostgres, isFolderServed })));
  assert.deepEqual(judge(false, true), [
    'ok service-running',
    'ok service-on-free-port',
    'fault service-silent',
    'warning service-elsewhere',
    'warning service-elsewhere',
  ]);
  assert.deepEqual(judge(false, false), [
    'fault service-of-other-folder',
    'fault service-stopped',
    'fault service-stopped-port-taken',
    'fault service-stopped-port-taken',
    'fault service-stopped',
  ]);
  assert.deepEqual(judge(true, false), [
    'ok service-running',
    'ok service-not-asked',
    'fault service-silent',
    'fault instance-away',
    'fault instance-away',
  ]);
  assert.deepEqual([...new Set(judge(true, true))], ['fault service-of-sqlite']);
});

test('a service that is outdated or not ready says so; obstacles that pass are a warning', () => {
  const judge = (version: string | undefined, ...obstacles: string[]) =>
    judgeService({
      ...SERVICE,
      response: { from: 'gastpass', version, obstacles },
      isOnPostgres: false,
      isFolderServed: true,
    });
  const { url } = SERVICE;
  assert.deepEqual(
    judge('1.9.0'),
    warning({ kind: 'service-outdated', url, version: '1.9.0', installed: '2.0.0' }),
  );
  const notReady = { kind: 'service-not-ready', url, reason: undefined } as const;
  assert.deepEqual(
    judge('2.0.0', 'starting'),
    warning({ ...notReady, obstacles: 'starting', isPassing: true }),
  );
  assert.deepEqual(
    judge('2.0.0', 'starting', 'database cannot be written: disk full'),
    fault({
      ...notReady,
      obstacles: 'starting, database cannot be written: disk full',
      reason: 'disk-full',
      isPassing: false,
    }),
  );
});

test('all instances should run the same release', () => {
  const living = (...releases: string[]) =>
    judgeInstances(releases.map((release, index) => ({ name: `web-${index}:80`, release })));
  assert.deepEqual(living(), []);
  assert.deepEqual(living('0.2.0', '0.2.0'), [passed({ kind: 'instances-ok', count: 2, release: '0.2.0' })]);
  assert.deepEqual(living('0.1.0', '0.2.0'), [
    warning({ kind: 'instances-differ', instances: ['web-0:80 0.1.0', 'web-1:80 0.2.0'] }),
  ]);
});

test('the secret fits, is exposed, weak, or replaced only in part', () => {
  const sealed = { count: 3, needPrevious: 0, unbound: 0, broken: [] };
  const judge = (facts: Partial<Parameters<typeof judgeSecrets>[0]>) =>
    say(
      judgeSecrets({
        files: [],
        secretPath: undefined,
        hasPreviousSecret: false,
        weakSettings: [],
        sealed,
        ...facts,
      }),
    );
  assert.deepEqual(judge({}), ['ok secret-ok']);
  assert.deepEqual(judge({ hasPreviousSecret: true }), ['ok secret-ok', 'warning secret-previous-unneeded']);
  const half = { ...sealed, needPrevious: 2, unbound: 1, broken: ['sites 3'] };
  assert.deepEqual(judge({ hasPreviousSecret: true, sealed: half, weakSettings: ['METRICS_TOKEN'] }), [
    'warning secret-previous-needed',
    'warning secret-weak',
    'fault sealed-broken',
    'warning sealed-unbound',
  ]);
  const file = { path: '/data/secret', folder: '/data', isOfOtherUser: false };
  const secretPath = file.path;
  const exposed = { ...file, file: 'secret', mode: 0o100644 } as const;
  const database = { ...file, file: 'database', mode: 0o100600, isOfOtherUser: true } as const;
  assert.deepEqual(judge({ secretPath, files: [exposed] }), ['fault file-readable']);
  assert.deepEqual(judge({ secretPath, files: [{ ...exposed, mode: 0o100600 }, database] }), [
    'ok secret-ok',
    'warning file-of-other-user',
  ]);
});

test('there is an active administrator, and addresses of earlier releases are named with their hidden signs', () => {
  const admin = { email: 'anna@example.org', role: 'admin', active: true } as const;
  assert.deepEqual(judgeUsers([admin]), [passed({ kind: 'admins-ok', count: 1 })]);
  const odd = { email: 'j\u00fcrgen\u200b@example.org', role: 'operator', active: true } as const;
  assert.deepEqual(judgeUsers([{ ...admin, active: false }, odd]), [
    warning({ kind: 'admins-none' }),
    warning({ kind: 'addresses-not-plain', emails: ['j\u00fcrgen\\u{200b}@example.org'] }),
  ]);
});

test('a part that could not be read is a fault, a part that does not exist is not', () => {
  const judge = (value: number, atMs: number) => passed({ kind: 'admins-ok', count: value + atMs });
  assert.deepEqual(judged({ part: 'users', value: 1, atMs: 2 }, judge), [
    passed({ kind: 'admins-ok', count: 3 }),
  ]);
  assert.deepEqual(judged({ part: 'users', detail: 'no luck' }, judge), [
    fault({ kind: 'not-examined', part: 'users', detail: 'no luck' }),
  ]);
  assert.deepEqual(judged(undefined, judge), []);
});

test('a rule that throws is a fault of its part, so that the other parts are still judged', () => {
  const judge = () => {
    throw new Error('no luck');
  };
  assert.deepEqual(judged({ part: 'users', value: 1, atMs: 2 }, judge), [
    fault({ kind: 'not-examined', part: 'users', detail: 'Error: no luck' }),
  ]);
});
