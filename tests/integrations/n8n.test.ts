// The workflow for n8n: creates one voucher for a booking, repeats only what may succeed, and revokes after a
// cancellation. n8n itself is not run.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import { callWebhook, type Send, workflow } from './n8n-workflow.ts';

const BOOKING = { booking: 'A 4711', name: 'Room 12', guests: 3, nights: 2 };

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const send: Send = async ({ url, headers, ...request }) => {
  const response = await fetch(url.replace('https://wifi.example.org/api', service.api), {
    ...request,
    headers: { ...headers, 'content-type': 'application/json', authorization: `Bearer ${service.keyText}` },
  });
  const json = JSON.parse(await response.text());
  return { status: response.status, headers: Object.fromEntries(response.headers), json };
};

test('connects nodes that exist, each with an id of its own', () => {
  const names = new Set(workflow.nodes.map(({ name }) => name));
  assert.equal(new Set(workflow.nodes.map(({ id }) => id)).size, workflow.nodes.length);
  for (const [from, { main }] of Object.entries(workflow.connections))
    for (const name of [from, ...main.flat().map(({ node }) => node)]) assert.ok(names.has(name), name);
});

test('a booking that arrives twice gets one voucher, and a changed booking one that replaces it', async () => {
  const book = async (more = {}) => (await callWebhook('booking', { ...BOOKING, ...more }, send)).response;
  const first = await book();
  assert.deepEqual(await book(), first);
  const { vouchers } = await service.client.listVouchers({ reference: 'A 4711' });
  assert.deepEqual(first, { vouchers, replaced: [] });
  assert.equal(vouchers[0]?.devices, 3);
  assert.partialDeepStrictEqual(await book({ guests: 2, revision: 2 }), {
    vouchers: [{ devices: 2 }],
    replaced: [{ id: vouchers[0]?.id, state: 'done' }],
  });
  assert.partialDeepStrictEqual(await book(), { type: '/api-docs/problems#idempotency-key-ended' });
});

test('an answer is repeated only if Gastpass-Retry says that this is worthwhile, and not for ever', async () => {
  const countCalls = async (status: number, headers: Record<string, string> = {}) => {
    let calls = 0;
    const outcome = await callWebhook('booking', BOOKING, async () => {
      calls++;
      return { status, headers, json: { status } };
    });
    assert.deepEqual(outcome, { response: { status }, waited: calls - 1 });
    return calls;
  };
  for (const status of [201, 400, 403, 404, 422, 500])
    assert.equal(await countCalls(status, status < 400 ? {} : { 'gastpass-retry': 'no' }), 1, String(status));
  assert.equal(await countCalls(502, { 'gastpass-retry': 'no' }), 1);
  assert.equal(await countCalls(409, { 'gastpass-retry': 'after-settling', 'retry-after': '20' }), 13);
  assert.equal(await countCalls(503), 13, 'a proxy does not say it');
});

test('a cancellation revokes the living vouchers of the booking, and none of another one', async () => {
  await callWebhook('booking', { ...BOOKING, booking: 'B' }, send);
  const { response } = await callWebhook('cancellation', { booking: 'B' }, send);
  assert.ok(Array.isArray(response) && response.length === 1);
  assert.equal(response[0].status, 'revoked');
  assert.deepEqual((await callWebhook('cancellation', { booking: 'B' }, send)).response, []);
  assert.deepEqual((await callWebhook('cancellation', { booking: 'A' }, send)).response, []);
});
