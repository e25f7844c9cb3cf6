// A service that is killed while it creates vouchers: every acknowledged voucher is listed afterwards, and the
// controller and our records have the same vouchers.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertInBalance, prepare, readBooks, settleLater } from '../../faults/bookkeeping.ts';
import { callApi, makeFolder, type RunningGastpass, startGastpass } from '../../support/run-gastpass.ts';

const MIN_ROUNDS = 5;
/** A kill can fall between two requests, so more rounds follow until a kill has interrupted a request. */
const MAX_ROUNDS = 20;
const CALLERS = 32;

const { folder: dataDir, remove } = makeFolder();
after(remove);

let key: string;
const acknowledged: string[] = [];
let rounds = 0;
let lostRequests = 0;
let openAfterKills = 0;

before(async () => {
  key = await prepare(dataDir);
  for (; rounds < MIN_ROUNDS || (openAfterKills === 0 && rounds < MAX_ROUNDS); rounds++) {
    const service = await startGastpass({
      dataDir,
      environment: { GASTPASS_DEMO: '0', LOG_LEVEL: 'silent' },
    });
    await killUnderLoad(service, 20 + rounds * 13);
    openAfterKills += readBooks(dataDir).intents;
  }
  await settleLater(dataDir);
});

/** Many clients send orders at once, some of them equal, until the service is killed. */
async function killUnderLoad(service: RunningGastpass, killAfter: number): Promise<void> {
  let responded = 0;
  const caller = async (number: number) => {
    for (let turn = 0; ; turn++) {
      const name = turn % 2 === 0 ? 'Zimmer 12' : `Zimmer ${number}`;
      const reply = await callApi(service, { key, body: { site_id: 1, name } }).catch(() => undefined);
      if (!reply) break;
      assert.equal(reply.status, 201);
      acknowledged.push(reply.json.code);
      if (++responded === killAfter) service.child.kill('SIGKILL');
    }
    lostRequests++;
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(number)));
  assert.equal((await service.ended).signal, 'SIGKILL');
}

test('the kills interrupt running requests', () => {
  assert.equal(lostRequests, rounds * CALLERS);
  assert.ok(openAfterKills > 0, `all ${rounds} kills fell between two requests`);
});

test('every acknowledged voucher is recorded', () => {
  const { codes } = readBooks(dataDir);
  assert.deepEqual(
    acknowledged.filter((code) => !codes.includes(code)),
    [],
  );
});

test('no code is returned to two clients', () => {
  assert.equal(new Set(acknowledged).size, acknowledged.length);
});

test('the controller and the records have the same vouchers, each once, and no intent is open', () => {
  const { recorded } = assertInBalance(dataDir);
  assert.ok(recorded.length >= acknowledged.length);
});

test('the restarted service lists the vouchers', async () => {
  const service = await startGastpass({ dataDir, environment: { GASTPASS_DEMO: '0' } });
  const { status, json } = await callApi(service, { key, path: 'vouchers.php?site_id=1' });
  await service.stop();
  assert.equal(status, 200);
  assert.equal(json.vouchers.length, Math.min(200, readBooks(dataDir).codes.length));
});
