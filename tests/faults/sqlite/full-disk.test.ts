// A disk that is full while vouchers are created: callers are told, reading goes on, the service stops in
// order, and with space again everything that was acknowledged is there. A limit on the size of files
// plays the full disk.

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
  // Where a voucher no longer fits, the small probe of readiness may: then it is not full yet.
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

test('creations are refused as what they are: the database’s or the controller’s trouble', () => {
  assert.ok(acknowledged.length > 0);
  assert.ok(refused.length >= 5, 'the disk never got full');
  for (const { status, error } of refused)
    assert.ok(
      (status === 503 && error === 'database_unavailable') || (status === 500 && error === 'server_error'),
      `${status} ${error}`,
    );
});

test('lists are answered all the same, and the service says that it is alive and not ready', () => {
  assert.deepEqual(whileFull, { list: 200, health: 200, ready: 503 });
});

test('the service stops in order, and the log tells of the trouble', () => {
  assert.deepEqual([ended.code, ended.signal, ended.stderr], [0, null, '']);
  assert.match(ended.stdout, /database unavailable|disk/);
});

test('with space again every acknowledged voucher is on record, and the books are in balance', async () => {
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
