// A database that fails while the service runs: affected requests get a 500 or 503, the service keeps running, and
// requests succeed again as soon as the database works.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { asSiteId } from '../../src/kernel/ids.ts';
import { makeCreateVoucher } from '../../src/kernel/vouchers/create-vouchers.ts';
import { DatabaseUnavailable } from '../../src/platform/values/database-unavailable.ts';
import { actorOf } from '../support/actors.ts';
import { withoutTable } from '../support/disturb-records.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { unobserved } from '../support/unobserved.ts';
import { assertInBalance, settle } from './bookkeeping.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true, jobs: false });
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

test('without the vouchers table, a creation gets a 500 with a message; later it succeeds', async () => {
  await without('vouchers', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const reply = await create();
      assert.deepEqual([reply.status, reply.json.error], [500, 'server_error']);
      // The table is named in the log only.
      assert.equal(reply.json.message, 'the database failed; the log of the service says why');
    }
    assert.equal((await service.call('GET', 'sites.php')).status, 200);
    await assertAlive();
  });
  assert.equal((await create()).status, 201);
});

test('without the intents table, nothing is sent upstream', async () => {
  const { length } = assertInBalance(service.config.dataDir).upstream;
  await without('intents', async () => {
    assert.equal((await create()).status, 500);
    await assertAlive();
  });
  assert.equal(assertInBalance(service.config.dataDir).upstream.length, length);
  assert.equal((await create()).status, 201);
});

test('without the api_keys table, requests get a 500, not a 401', async () => {
  await without('api_keys', async () => {
    assert.equal((await service.call('GET', 'sites.php')).status, 500);
    await assertAlive();
  });
  assert.equal((await service.call('GET', 'sites.php')).status, 200);
});

test('each failure is logged in one line with the request id and the stack trace', async () => {
  await without('vouchers', async () => {
    const reply = await create();
    const id = reply.headers.get('x-request-id');
    const failed = service.logLines.filter((line) => line.requestId === id && line.msg === 'request failed');
    assert.equal(failed.length, 1);
    assert.match(JSON.stringify(failed[0]), /(no such table|does not exist).*at /);
  });
});

test('a voucher that was created but not recorded is reported as failed and recorded later', async () => {
  const { vouchers } = service.beside;
  const lines: Record<string, unknown>[] = [];
  const noted: unknown[] = [];
  const createVoucher = makeCreateVoucher({
    ...service.beside,
    ...unobserved,
    log: { ...unobserved.log, warn: (fields) => void lines.push(fields) },
    noteFailedOrder: async (failed) => void noted.push(failed),
    timeZone: 'UTC',
    vouchers: { ...vouchers, record: () => Promise.reject(new DatabaseUnavailable(new Error('disk full'))) },
  });
  const limits = { maxUses: 1, expireMinutes: 5, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const creation = await createVoucher(
    { siteId: asSiteId(1), name: 'lost', ...limits },
    { actor: actorOf('API: Test'), keySites: 'all' },
  );
  assert.ok(!creation.ok);
  assert.partialDeepStrictEqual(creation.problem, { kind: 'creation-failed', failure: 'outcome-unknown' });
  assert.doesNotMatch(JSON.stringify(creation.problem), /disk full/);
  assert.match(String(lines[0]?.err), /disk full/);
  assert.deepEqual(noted, [], 'it is no failure of the controller');
  assert.equal(await vouchers.countIntents(), 1);

  service.clock.advance(20_000);
  assert.equal((await settle(service.beside)).recorded, 1);
  const [row] = service.rows('select name from vouchers order by id desc limit 1');
  assert.match(String(row?.name), /_lost$/);
});
