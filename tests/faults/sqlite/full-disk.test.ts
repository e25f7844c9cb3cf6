// A disk that becomes full while vouchers are created: clients get an error, reads continue, the service stops cleanly,
// and every acknowledged voucher is present once there is space again. A file size limit simulates the full disk.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { callApi, type Ended, makeFolder, startGastpass } from '../../support/run-gastpass.ts';
import { assertInBalance, prepare, readBooks, settleLater } from '../bookkeeping.ts';

const LIMIT_IN_BLOCKS = 2_048;
const MAX_CREATIONS = 3_000;

const { folder: dataDir, remove } = makeFolder();
const environment = { GASTPASS_DEMO: '0' };
const acknowledged: string[] = [];
const refused: { status: number; error: string }[] = [];
let key: string;
let whileFull: { list: number; health: number; ready: number };
let ended: Ended;

before(async () => {
  key = await prepare(dataDir);
  const prefix = ['sh', '-c', `ulimit -f ${LIMIT_IN_BLOCKS}; exec "$@"`, 'sh'];
  const service = await startGastpass({ dataDir, environment, prefix });
  const statusOf = async (path: string) => (await fetch(`${service.url}${path}`)).status;
  // The small write of the readiness probe may still fit when a voucher does not; then the disk is not full yet.
  const isFull = async () => refused.length >= 5 && (await statusOf('/readyz')) === 503;
  for (let turn = 0; turn < MAX_CREATIONS && !(await isFull()); turn++) {
    const { status, json } = await callApi(service, { key, body: { site_id: 1, name: `Zimmer ${turn}` } });
    if (status === 201) acknowledged.push(json.code);
    else refused.push({ status, error: json.error });
  }
  whileFull = {
    list: (await callApi(service, { key, path: 'vouchers.php?site_id=1' })).status,
    health: await statusOf('/healthz'),
    ready: await statusOf('/readyz'),
  };
  ended = await service.stop();
});
after(remove);

test('creations get a 503 database_unavailable or a 500 server_error', () => {
  assert.ok(acknowledged.length > 0);
  assert.ok(refused.length >= 5, 'the disk did not become full');
  for (const { status, error } of refused)
    assert.ok(
      (status === 503 && error === 'database_unavailable') || (status === 500 && error === 'server_error'),
      `${status} ${error}`,
    );
});

test('lists still work, and the service is healthy but not ready', () => {
  assert.deepEqual(whileFull, { list: 200, health: 200, ready: 503 });
});

test('the service stops cleanly, and the log names the problem', () => {
  assert.deepEqual([ended.code, ended.signal, ended.stderr], [0, null, '']);
  assert.match(ended.stdout, /database unavailable|disk/);
});

test('with space again, every acknowledged voucher is recorded, and controller and records match', async () => {
  await settleLater(dataDir);
  const { codes } = readBooks(dataDir);
  assert.deepEqual(
    acknowledged.filter((code) => !codes.includes(code)),
    [],
  );
  assertInBalance(dataDir);
  const service = await startGastpass({ dataDir, environment });
  const { status } = await callApi(service, { key, body: { site_id: 1, name: 'danach' } });
  await service.stop();
  assert.equal(status, 201);
});
