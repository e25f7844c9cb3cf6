// POST /vouchers.php → 503: the database cannot be written to, or the service is shutting down. Nothing is sent to the
// controller, and the same request succeeds once the service can write again.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { holdWriteLock } from '../../support/disturb-records.ts';
import { makeFolder } from '../../support/run-gastpass.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { leaving, ONE_VOUCHER, tracesOf } from '../support/post-vouchers-traces.ts';

const order = { headers: { 'idempotency-key': 'beharrlich' }, body: { site_id: 1, name: 'Beharrlich' } };

async function withService(job: (service: TestService) => Promise<void>): Promise<void> {
  const service = await startTestService({ webhook: true });
  try {
    await job(service);
  } finally {
    await service.stop();
  }
}

test('an order gets a 503 if the database stays locked; nothing is sent upstream, and lists still work', () =>
  withService(async (service) => {
    const { release } = await holdWriteLock(service);
    const waiting = service.call('POST', 'vouchers.php', order);
    const list = await service.call('GET', 'vouchers.php?site_id=1');
    assert.equal(list.status, 200);
    assert.equal((await service.call('GET', 'sites.php')).status, 200);
    assert.equal((await service.call('POST', 'vouchers.php', { body: '{}' })).status, 400);

    const refused = await waiting;
    release();
    assert.equal(refused.status, 503);
    assert.equal(
      refused.text,
      '{"error":"database_unavailable","message":"Datenbank nicht verfügbar. Bitte später erneut versuchen."}',
    );
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    const { vouchers, intents, upstream, tickets } = tracesOf(service);
    assert.deepEqual(
      { vouchers, intents, upstream, tickets },
      { vouchers: 0, intents: 0, upstream: 0, tickets: 0 },
    );

    const retried = await leaving(service, { ...ONE_VOUCHER, tickets: 1 }, () =>
      service.call('POST', 'vouchers.php', order),
    );
    assert.equal(retried.status, 201);
  }));

test('a short database lock only delays the response', () =>
  withService(async (service) => {
    const { release } = await holdWriteLock(service);
    const waiting = service.call('POST', 'vouchers.php', order);
    await sleep(200);
    release();
    assert.equal((await waiting).status, 201);
  }));

test('a service that is shutting down refuses new orders and finishes running requests', async () => {
  const { folder: dataDir, remove } = makeFolder();
  const service = await startTestService({ dataDir, webhook: true });
  const slowSite = await service.addSite('fail:time-out', 'Langsam');
  const running = service.call('POST', 'vouchers.php', { body: { site_id: slowSite, name: 'Noch' } });
  await until(() => tracesOf(service).intents > 0);

  // This request starts before the shutdown and is complete only after the shutdown has begun.
  const { hostname, port } = new URL(service.url);
  const late = connect(Number(port), hostname);
  await once(late, 'connect');
  late.write('POST /api/vouchers.php HTTP/1.1\r\nHost: localhost\r\n');
  await service.call('GET', 'sites.php');

  const traces = tracesOf(service);
  const stopped = service.stop();
  late.write(`X-API-Key: ${service.keyText}\r\nContent-Length: 24\r\n\r\n{"site_id":1,"name":"x"}`);
  const [response] = await once(late, 'data');
  assert.match(String(response), /^HTTP\/1\.1 503 /);
  assert.match(String(response), /\r\nretry-after: [1-9]/i);
  assert.match(String(response), /\r\nconnection: close/i);
  assert.match(String(response), /\{"error":"unavailable","message":"Dienst gerade nicht verfügbar\. .+"\}$/);

  assert.equal((await running).status, 500, 'the controller’s time-out ends the request, not the shutdown');
  await stopped;
  await assert.rejects(service.call('GET', 'sites.php'), 'the service still accepts connections');

  const next = await startTestService({ dataDir });
  assert.deepEqual(tracesOf(next), traces);
  await next.stop();
  remove();
});
