// Tests how a running service stops: a first signal lets it finish the requests in progress, a second signal stops it
// at once.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SimulatedConsole, startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { readRecords } from '../support/engine.ts';
import {
  announcedGastpass,
  callApi,
  makeDatabase,
  makeFolder,
  type RunningGastpass,
  runGastpass,
  startGastpass,
} from '../support/run-gastpass.ts';
import { until } from '../support/until.ts';

/** A signal this much later counts as a second signal, not as a duplicate of the first. */
const ECHO_MS = 700;

/** A test whose name contains this stops the service as soon as it has printed its URL. */
const HASTY = 'right after the start message';

/** The controller of this site times out after two seconds. */
const SLOW_SITE = 1;
/** The controller of this site never responds; the service waits ten seconds, longer than any test here needs. */
const SILENT_SITE = 2;

const { folder: dataDir, remove } = makeFolder();
let silent: SimulatedConsole;
after(async () => {
  await silent.stop();
  remove();
});

let key: string;
before(async () => {
  await makeDatabase(dataDir);
  silent = await startSimulatedConsole();
  silent.controls.setFault({ match: 'create', kind: 'hang-before-write', times: 'always' });
  const { url, apiKey, fingerprint256 } = silent;
  const connection = ['--url', url, '--api-key', apiKey, '--fingerprint', fingerprint256, '--untested'];
  await addSite(SLOW_SITE, ['--controller', 'simulator', '--site', 'fail:time-out']);
  await addSite(SILENT_SITE, ['--controller', 'unifi', ...connection]);
  key = (await runGastpass(['keys', 'create', '--name', 'K', '--scope', 'write'], { dataDir })).stdout.trim();
});

const environment = { GASTPASS_DEMO: '0', LOG_LEVEL: 'debug' };
let service: RunningGastpass;
beforeEach(async (t) => {
  service = await (t.name.includes(HASTY) ? announcedGastpass : startGastpass)({ dataDir, environment });
});

async function addSite(id: number, words: string[]): Promise<void> {
  const added = await runGastpass(['sites', 'add', '--name', `Haus ${id}`, ...words], { dataDir });
  assert.equal(added.stdout, `${id}\n`, added.stderr);
}

function countIntents(): number {
  return Number(readRecords(dataDir, 'select count(*) as count from intents')[0]?.count);
}

/** Starts a request to a slow controller; resolves when the request is in progress. */
async function beginSlowRequest(siteId = SLOW_SITE) {
  const before = countIntents();
  const response = callApi(service, { key, body: { site_id: siteId, name: 'Zimmer 12' } }).then(
    (reply) => ({ reply, lost: false }),
    () => ({ reply: undefined, lost: true }),
  );
  await until(() => countIntents() !== before);
  return { response };
}

/** Waits until the port is closed. Only connects, because a full request would delay the second signal. */
async function doorIsClosed(): Promise<void> {
  const { hostname, port } = new URL(service.url);
  const knock = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), hostname, () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  await until(async () => !(await knock()), { everyMs: 1 });
}

for (const [signal, moment] of [
  ['SIGTERM', HASTY],
  ['SIGINT', 'while it is idle'],
  ['SIGHUP', 'while it is idle'],
] as const)
  test(`${signal} ${moment} stops a service with exit code 0, and the log says so`, async () => {
    const { code, stdout, stderr } = await service.stop(signal);
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.match(stdout, /"msg":"service stopping"/);
    assert.match(stdout, /"msg":"service stopped"\}\n$/);
  });

test('SIGTERM closes the port and finishes the request in progress', { timeout: 60_000 }, async () => {
  const { response } = await beginSlowRequest();
  const ended = service.stop();
  await doorIsClosed();
  const { reply } = await response;
  assert.equal(reply?.status, 500);
  assert.match(reply?.json.message, /did not answer in time/);
  assert.equal(reply?.headers.get('connection'), 'close');
  assert.equal((await ended).code, 0);
});

test('a duplicate of the signal that npm forwards a moment later does not count as a second signal', {
  timeout: 60_000,
}, async () => {
  const { response } = await beginSlowRequest();
  service.child.kill('SIGINT');
  // Long enough to arrive as a separate signal on most machines, and short enough to count as a duplicate.
  await sleep(50);
  const { code } = await service.stop('SIGINT');
  assert.equal(code, 0);
  assert.equal((await response).reply?.status, 500);
});

test('a second SIGTERM stops the service at once, and the open intent stays recorded', {
  timeout: 60_000,
}, async () => {
  const before = countIntents();
  const { response } = await beginSlowRequest(SILENT_SITE);
  service.child.kill('SIGTERM');
  await doorIsClosed();
  await sleep(ECHO_MS);
  const { code } = await service.stop();
  assert.equal(code, 0);
  assert.equal((await response).lost, true);
  assert.equal(countIntents(), before + 1);
});
