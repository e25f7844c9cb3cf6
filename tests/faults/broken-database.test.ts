// A database that breaks while the service runs: requests are answered 500 or 503 one by one, the service
// lives on, and works again as soon as the database does.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { DatabaseUnavailable } from '../../src/domain/database-unavailable.ts';
import { asSiteId } from '../../src/domain/ids.ts';
import { makeCreateVoucher } from '../../src/domain/vouchers/create-vouchers.ts';
import { actorOf } from '../support/actors.ts';
import { withoutTable } from '../support/disturb-records.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { assertInBalance, settle } from './bookkeeping.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());
afterEach(async () => {
  service.clock.advance(100_000);
  await settle(service.beside);
  assertInBalance(service.config.dataDir);
});

const create = () => service.call('POST', 'vouchers.php', { body: { site_id: 1, name: 'Zimmer 12' } });

const without = (table: string, run: () => Promise<void>) => withoutTable(service, table, run);

async function assertAlive(): Promise<void> {
  assert.equal((await service.call('GET', '/healthz')).status, 200);
  assert.equal((await service.call('GET', 'openapi.php')).status, 200);
}

test('without the table of vouchers a creation is a 500 with a text, and the caller may try again later', async () => {
  await without('vouchers', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const reply = await create();
      assert.deepEqual([reply.status, reply.json.error], [500, 'server_error']);
      assert.notEqual(reply.json.message, '');
    }
    assert.equal((await service.call('GET', 'sites.php')).status, 200);
    await assertAlive();
  });
  assert.equal((await create()).status, 201);
});

test('without the table of intents nothing goes upstream', async () => {
  const { length } = assertInBalance(service.config.dataDir).upstream;
  await without('intents', async () => {
    assert.equal((await create()).status, 500);
    await assertAlive();
  });
  assert.equal(assertInBalance(service.config.dataDir).upstream.length, length);
  assert.equal((await create()).status, 201);
});

test('without the table of keys nobody gets in, and it is not taken for a wrong key', async () => {
  await without('api_keys', async () => {
    assert.equal((await service.call('GET', 'sites.php')).status, 500);
    await assertAlive();
  });
  assert.equal((await service.call('GET', 'sites.php')).status, 200);
});

test('each failure is one line of log under the id of its answer, with the stack', async () => {
  await without('vouchers', async () => {
    const reply = await create();
    const id = reply.headers.get('x-request-id');
    const failed = service.logLines.filter((line) => line.requestId === id && line.msg === 'request failed');
    assert.equal(failed.length, 1);
    assert.match(JSON.stringify(failed[0]), /(no such table|does not exist).*at /);
  });
});

test('a voucher that was made and could not be recorded is a failure now and on record later', async () => {
  const { vouchers } = service.beside;
  const createVoucher = makeCreateVoucher({
    ...service.beside,
    timeZone: 'UTC',
    vouchers: { ...vouchers, record: () => Promise.reject(new DatabaseUnavailable(new Error('disk full'))) },
  });
  const limits = { maxUses: 1, expireMinutes: 5, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const creation = await createVoucher(
    { siteId: asSiteId(1), name: 'lost', ...limits },
    { actor: actorOf('API: Test') },
  );
  assert.ok(!creation.ok);
  assert.equal(creation.problem.kind, 'creation-failed');
  assert.equal(await vouchers.countIntents(), 1);

  service.clock.advance(20_000);
  assert.equal((await settle(service.beside)).recorded, 1);
  const [row] = service.rows('select name from vouchers order by id desc limit 1');
  assert.match(String(row?.name), /_lost$/);
});
