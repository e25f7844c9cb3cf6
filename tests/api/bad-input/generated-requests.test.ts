// A few hundred generated bodies over real HTTP, with a real database: each gets a status below 500, and the records
// contain exactly the vouchers that were created with a 201.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { anyBody, fieldsOfOrder, toBody } from '../support/bad-input-generated-orders.ts';
import { leaving, tracesOf, upstreamVouchers } from '../support/post-vouchers-traces.ts';

const RUNS = 300;

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

const orders = fieldsOfOrder.map((fields) => Buffer.from(toBody(fields)));
const headers = fc.record(
  {
    'content-type': fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded'),
    'idempotency-key': fc.constantFrom('a', 'b', '', 'a b', 'x'.repeat(256)),
  },
  { requiredKeys: [] },
);

async function assertResponded(body: Buffer, sent: Record<string, string>): Promise<void> {
  const before = tracesOf(service);
  const reply = await service.call('POST', 'vouchers.php', { body, headers: sent });
  assert.ok([201, 400, 404, 409, 422].includes(reply.status), `${reply.status} ${reply.text}`);
  const isNew = reply.status === 201 && reply.headers.get('idempotent-replayed') === null;
  const made = tracesOf(service).vouchers - before.vouchers;
  assert.equal(made, isNew ? 1 : 0, `${reply.status} ${reply.text}`);
}

test('each body gets a status that the contract allows, and only a 201 creates a voucher', async () => {
  const body = fc.oneof(orders, anyBody);
  await fc.assert(fc.asyncProperty(body, headers, assertResponded), { numRuns: RUNS });
});

test('requests that arrive at the same time do not affect each other', async () => {
  const together = fc.array(fc.oneof(orders, anyBody), { minLength: 20, maxLength: 20 });
  const property = fc.asyncProperty(together, async (bodies) => {
    const before = tracesOf(service).vouchers;
    const replies = await Promise.all(bodies.map((body) => service.call('POST', 'vouchers.php', { body })));
    const made = replies.filter(({ status }) => status === 201);
    for (const { status } of replies) assert.ok([201, 400, 404].includes(status));
    assert.equal(tracesOf(service).vouchers - before, made.length);
    assert.equal(new Set(made.map(({ json }) => json.code)).size, made.length);
  });
  await fc.assert(property, { numRuns: RUNS / 20 });
});

test('afterwards no intent is open, and the controller and the records have the same vouchers', async () => {
  await leaving(service, {}, () => service.call('GET', 'vouchers.php?site_id=1'));
  const { intents, vouchers, upstream, notifications, auditEntries } = tracesOf(service);
  assert.equal(intents, 0);
  assert.ok(vouchers > 0);
  assert.deepEqual([upstream, notifications, auditEntries], [vouchers, vouchers, vouchers]);
  const recorded = service.rows('select code from vouchers order by code').map(({ code }) => code);
  assert.deepEqual(
    recorded,
    upstreamVouchers(service)
      .map(({ code }) => code)
      .sort(),
  );
  assert.deepEqual(
    service.logLines.filter(({ level, status }) => level === 'error' || Number(status) >= 500),
    [],
  );
});
