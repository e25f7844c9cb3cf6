// Two hundred concurrent POST /vouchers.php requests with the same body: each request gets its own voucher.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Reply, startTestService, type TestService } from '../../support/test-service.ts';
import { leaving, upstreamVouchers } from '../support/post-vouchers-traces.ts';

const MANY = 200;

let service: TestService;
let replies: Reply[];
before(async () => {
  service = await startTestService({ webhook: true });
  const body = { site_id: 1, name: 'Busgruppe' };
  const left = { vouchers: MANY, upstream: MANY, notifications: MANY, auditEntries: MANY };
  replies = await leaving(service, left, () =>
    Promise.all(Array.from({ length: MANY }, () => service.call('POST', 'vouchers.php', { body }))),
  );
});
after(() => service.stop());

const codes = () => replies.map(({ json }) => String(json.code)).sort();

test('each request gets a 201 and a unique code', () => {
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(codes()).size, MANY);
});

test('the codes in the responses, in the records and on the controller are the same', () => {
  const recorded = service.rows('select code from vouchers').map(({ code }) => String(code));
  const upstream = upstreamVouchers(service).map(({ code }) => String(code));
  assert.deepEqual(recorded.sort(), codes());
  assert.deepEqual(upstream.sort(), codes());
});

test('each response has a unique request id', () => {
  assert.equal(new Set(replies.map(({ headers }) => headers.get('x-request-id'))).size, MANY);
});

test('the next list contains all vouchers', async () => {
  const list = await service.call('GET', 'vouchers.php?site_id=1');
  const listed: { voucher_code: string }[] = list.json.vouchers;
  assert.deepEqual(listed.map(({ voucher_code }) => voucher_code).sort(), codes());
});

// Contract: code | string | Voucher code
test('codes are strings of ten digits, and leading zeros are kept', () => {
  for (const { json } of replies) {
    assert.match(json.code, /^\d{10}$/);
    assert.match(json.formatted_code, /^\d{5}-\d{5}$/);
    assert.equal(json.formatted_code.replace('-', ''), json.code);
  }
  // One code in ten starts with a zero, so at least one of two hundred codes almost certainly does.
  assert.ok(codes().some((code) => code.startsWith('0')));
});
