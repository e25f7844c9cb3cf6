// A booking changes while its console answers no revocations, and while the service is killed: the answer says which
// code still lives, and in the end the console has only the code of the newest order.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { openInstallation } from '../../src/app/installation.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import { TESTER } from '../support/actors.ts';
import { makeFolder, startGastpass } from '../support/run-gastpass.ts';
import { configOf } from '../support/test-service.ts';
import { until } from '../support/until.ts';

const { folder: dataDir, remove } = makeFolder();
const environment = { GASTPASS_DEMO: '0', LOG_LEVEL: 'silent', SYNC_INTERVAL_S: '86400' };
let console: Awaited<ReturnType<typeof startSimulatedConsole>>;
let beside: Installation;
let key: string;
let site: number;
before(async () => {
  console = await startSimulatedConsole();
  beside = await openInstallation(await configOf(dataDir));
  const audit = { actor: TESTER, atMs: beside.clock.nowMs() };
  const { url, apiKey, fingerprint256 } = console;
  const connection = { url, credentials: { apiKey }, trust: { kind: 'pinned' as const, fingerprint256 } };
  const kind = { controllerKind: 'unifi', controllerSite: 'default' } as const;
  site = await beside.sites.add({ name: 'Haus A', active: true, ...kind, connection }, audit);
  key = (await beside.issueKey({ name: 'Hotel', scope: 'write', rateLimit: 0 }, audit)).keyText;
});
after(async () => {
  await beside.close();
  await console.stop();
  remove();
});

const deletions = { match: 'delete', times: 'always' } as const;

function makeBook(url: string) {
  return async function book(revision: number) {
    const response = await fetch(`${url}/api/v1/vouchers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': `4711-r${revision}` },
      body: JSON.stringify({ site, name: `Room ${revision}`, reference: '4711', replaces: true }),
    });
    const body = JSON.parse(await response.text());
    return { status: response.status, id: body.vouchers?.[0]?.id, replaced: body.replaced, type: body.type };
  };
}

const namesOnConsole = () => console.controls.vouchers().map(({ note }) => (note ?? '').replace(/^.*_/, ''));

test('the console refuses, the service is killed, and after the restart one code is left', async (t) => {
  const first = await startGastpass({ dataDir, environment });
  const book = makeBook(first.url);
  const one = await book(1);
  console.controls.setFault({ ...deletions, kind: 'status', status: 503 });
  const two = await book(2);
  assert.deepEqual([two.status, two.replaced], [201, [{ id: one.id, state: 'pending' }]]);
  assert.equal((await book(1)).type, '/api-docs/problems#idempotency-key-ended', 'its code is about to end');
  assert.deepEqual(namesOnConsole(), ['Room 1', 'Room 2']);

  console.controls.resetFaults();
  console.controls.setFault({ ...deletions, kind: 'hang-before-write' });
  const broken = assert.rejects(book(3));
  await until(async () => namesOnConsole().length === 3 && (await beside.vouchers.countIntents()) === 0);
  await first.stop('SIGKILL');
  await broken;

  console.controls.resetFaults();
  await beside.leases.releaseAll();
  const second = await startGastpass({ dataDir, environment });
  t.after(() => second.stop());
  await until(() => namesOnConsole().length === 1);
  assert.deepEqual(namesOnConsole(), ['Room 3']);
  const again = makeBook(second.url);
  await until(async () =>
    (await again(3)).replaced.every(({ state }: { state: string }) => state === 'done'),
  );
  for (const revision of [1, 2]) assert.equal((await again(revision)).status, 409);
  assert.deepEqual(namesOnConsole(), ['Room 3']);
});
