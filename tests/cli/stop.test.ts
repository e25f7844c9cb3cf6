// How a running service ends: a first signal lets it finish what runs, a second one ends it at once.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRecords } from '../support/engine.ts';
import {
  announcedGastpass,
  callApi,
  makeFolder,
  type RunningGastpass,
  runGastpass,
  startGastpass,
} from '../support/run-gastpass.ts';

/** A second signal this much later is one of its own. */
const ECHO_MS = 700;

const { folder: dataDir, remove } = makeFolder();
after(remove);

let key: string;
before(async () => {
  const words = ['--name', 'Langsam', '--controller', 'simulator', '--site', 'fail:time-out'];
  await runGastpass(['sites', 'add', ...words], { dataDir });
  key = (await runGastpass(['keys', 'create', '--name', 'K', '--scope', 'write'], { dataDir })).stdout.trim();
});

let service: RunningGastpass;
beforeEach(async () => {
  service = await startGastpass({ dataDir, environment: { GASTPASS_DEMO: '0', LOG_LEVEL: 'debug' } });
});

function countIntents(): number {
  return Number(readRecords(dataDir, 'select count(*) as count from intents')[0]?.count);
}

/** A request whose controller takes its time; resolves when it is under way. */
async function beginSlowRequest() {
  const before = countIntents();
  const answer = callApi(service, { key, body: { site_id: 1, name: 'Zimmer 12' } }).then(
    (reply) => ({ reply, lost: false }),
    () => ({ reply: undefined, lost: true }),
  );
  while (countIntents() === before) await sleep(5);
  return { answer };
}

async function doorIsClosed(): Promise<void> {
  for (;;) {
    const health = await fetch(`${service.url}/healthz`, { headers: { connection: 'close' } }).catch(
      () => null,
    );
    if (health === null) return;
    await health.text();
  }
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`${signal} ends an idle service with 0, and the log says so`, async () => {
    const { code, stdout, stderr } = await service.stop(signal);
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.match(stdout, /"msg":"service stopping"/);
    assert.match(stdout, /"msg":"service stopped"\}\n$/);
  });

test('a signal that comes the moment it says it runs ends it with 0 too', async () => {
  await service.stop();
  const hasty = await announcedGastpass({ dataDir, environment: { GASTPASS_DEMO: '0' } });
  const { code, signal } = await hasty.stop();
  assert.deepEqual([code, signal], [0, null]);
});

test('SIGTERM closes the door and finishes the request that runs', { timeout: 60_000 }, async () => {
  const { answer } = await beginSlowRequest();
  const ended = service.stop();
  await doorIsClosed();
  const { reply } = await answer;
  assert.equal(reply?.status, 500);
  assert.match(reply?.json.message, /did not answer in time/);
  assert.equal(reply?.headers.get('connection'), 'close');
  assert.equal((await ended).code, 0);
});

test('the echo of a signal that npm passes on a moment later ends nothing early', {
  timeout: 60_000,
}, async () => {
  const { answer } = await beginSlowRequest();
  service.child.kill('SIGINT');
  await doorIsClosed();
  const { code } = await service.stop('SIGINT');
  assert.equal(code, 0);
  assert.equal((await answer).reply?.status, 500);
});

test('a second SIGTERM ends it at once, and what was under way stays on record', {
  timeout: 60_000,
}, async () => {
  const before = countIntents();
  const { answer } = await beginSlowRequest();
  service.child.kill('SIGTERM');
  await doorIsClosed();
  await sleep(ECHO_MS);
  const { code } = await service.stop();
  assert.equal(code, 0);
  assert.equal((await answer).lost, true);
  assert.equal(countIntents(), before + 1);
});
