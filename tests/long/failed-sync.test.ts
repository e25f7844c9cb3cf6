// The disk fails to sync while vouchers are created. What was written may be lost, although it can still be read. So
// the service acknowledges nothing more and ends.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ordering, prepareOrdering } from '../../rel/ordering.ts';
import { callApi, type Ended, startGastpass } from '../support/run-gastpass.ts';

const CLIENTS = 8;
/** How many syncs of each thread succeed. */
const GOOD_SYNCS = 20;
const PATIENCE_MS = 60_000;

let ordering: Ordering;
let ended: Ended | undefined;
const acknowledged: string[] = [];
/** The status of each client's first order that was not acknowledged; undefined if its connection ended. */
const refused: (number | undefined)[] = [];

before(async () => {
  ordering = await prepareOrdering();
  const { dataDir, environment, key, consoleSite } = ordering;
  const log = join(dataDir, 'gastpass.sqlite-wal');
  const failing = `inject=fsync,fdatasync:error=EIO:when=${GOOD_SYNCS + 1}+`;
  const service = await startGastpass({
    environment,
    prefix: [
      'strace',
      '-D',
      '-f',
      '-o',
      '/dev/null',
      '-P',
      log,
      '-e',
      'trace=fsync,fdatasync',
      '-e',
      failing,
    ],
  });
  const client = async (number: number) => {
    for (let turn = 0; ; turn++) {
      const body = { site_id: consoleSite, name: `Gast ${number}-${turn}` };
      const reply = await callApi(service, { key, body }).catch(() => undefined);
      if (reply?.status !== 201) return void refused.push(reply?.status);
      acknowledged.push(reply.json.code);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  ended = await Promise.race([service.ended, sleep(PATIENCE_MS, undefined, { ref: false })]);
  if (!ended) await service.stop('SIGKILL');
});
after(() => ordering.remove());

test('orders that wait for the sync get an error, or their connection ends', () => {
  assert.ok(acknowledged.length > 0);
  assert.equal(refused.length, CLIENTS);
  // 500 if the console has been asked for the voucher, which therefore may exist.
  for (const status of refused) assert.ok([503, 500, undefined].includes(status), `status ${status}`);
});

test('the service ends with an error and says why in one line', () => {
  assert.ok(ended, 'the service still runs');
  assert.ok(ended.code !== null && ended.code > 0, `it ended with ${ended.code ?? ended.signal}`);
  const fatal = ended.stdout.split('\n').filter((line) => line.startsWith('{"level":"fatal"'));
  assert.equal(fatal.length, 1);
  assert.match(fatal.join(), /EIO: i\/o error, fdatasync/);
});

test('after a restart, every acknowledged voucher is there, and further ones are created', async (t) => {
  const { dataDir, environment, key, consoleSite } = ordering;
  const service = await startGastpass({ environment });
  t.after(() => service.stop());
  const { status } = await callApi(service, { key, body: { site_id: consoleSite, name: 'danach' } });
  assert.equal(status, 201);
  using database = new DatabaseSync(join(dataDir, 'gastpass.sqlite'), { readOnly: true });
  const codes = database.prepare('select code from vouchers').all();
  const recorded = new Set(codes.map(({ code }) => code));
  assert.deepEqual(
    acknowledged.filter((code) => !recorded.has(code)),
    [],
  );
});
