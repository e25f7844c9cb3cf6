// POST /vouchers.php → 201: how the numbers of an order are parsed, clamped and passed on. The effective values are in
// the response; the values that reached the controller are read from the simulator's own file.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { upstreamVouchers } from '../support/post-vouchers-traces.ts';

const MAX_VALUE = 2_147_483_647;

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

/** `fields` is JSON text, so that a test can choose the notation of a number. */
async function create(fields: string) {
  const reply = await service.call('POST', 'vouchers.php', { body: `{"site_id":1,"name":"Zahl"${fields}}` });
  assert.equal(reply.status, 201, fields);
  const upstream = upstreamVouchers(service).at(-1) ?? {};
  assert.equal(upstream.code, reply.json.code);
  const row = service.rows('select * from vouchers order by id desc limit 1')[0] ?? {};
  for (const column of ['max_uses', 'expire_minutes', 'down_kbps', 'up_kbps', 'quota_mb'])
    assert.equal(row[column], upstream[column], `${column} differs between the records and the controller`);
  return { reply, upstream };
}

const absent = ['null', 'true', 'false', '[]', '[5]', '{}', '{"n":5}', '""', '" "', '"abc"', '"1abc"'];
const notDecimal = ['"0x1"', '"1 2"', '"1,5"', '"--1"', '"+"', '"."', '"e5"', '"NaN"', '"Infinity"', '"١"'];
const readAs: [text: string, integer: number][] = [
  ['7', 7],
  ['7.0', 7],
  ['7.99', 7],
  ['7e2', 700],
  ['"7"', 7],
  ['"+7"', 7],
  ['" 7 "', 7],
  ['"\\t7\\n"', 7],
  ['"7.99"', 7],
  ['"007"', 7],
  ['"7."', 7],
  ['"70e1"', 700],
  ['"7E+1"', 70],
  ['"70e-1"', 7],
  [String(MAX_VALUE), MAX_VALUE],
  [`"${MAX_VALUE}.9"`, MAX_VALUE],
];
const belowOne = ['0', '-0', '-1', '0.99', '-0.5', '-1e308', '-1e999', '"-5"', '"0"', '".5"', '"-1e999"'];

for (const [field, otherwise] of [
  ['max_uses', 1],
  ['expire_minutes', 480],
] as const) {
  // Contract: max_uses | integer | no | 1 | A value below 1 is replaced by …
  // Contract: expire_minutes | integer | no | 480 | A value below 1 is replaced …
  test(`${field} is ${otherwise} if it is missing or not a number`, async () => {
    assert.equal((await create('')).reply.json[field], otherwise);
    for (const value of [...absent, ...notDecimal])
      assert.equal((await create(`,"${field}":${value}`)).reply.json[field], otherwise, value);
  });

  test(`${field} is read from numbers and decimal strings and truncated to an integer`, async () => {
    for (const [value, integer] of readAs) {
      const { reply, upstream } = await create(`,"${field}":${value}`);
      assert.equal(reply.json[field], integer, value);
      assert.equal(upstream[field], integer, value);
    }
  });

  // Contract: max_uses | integer | no | 1 | A value below 1 is replaced by …
  // Contract: `max_uses` and `expire_minutes` are clamped to their defaults …
  // Contract: The voucher is created on the site's upstream controller under …
  // Contract: max_uses | integer | Effective value after clamping
  // Contract: max_uses minimum | 1 (lower values are replaced by 1) | POST …
  // Contract: expire_minutes | integer | no | 480 | A value below 1 is replaced …
  // Contract: expire_minutes | integer | Effective value after clamping
  // Contract: expire_minutes minimum | 1 (lower values are replaced by the …
  test(`${field} below 1 is replaced by ${otherwise}, in the response and on the controller`, async () => {
    for (const value of belowOne) {
      const { reply, upstream } = await create(`,"${field}":${value}`);
      assert.equal(reply.json[field], otherwise, value);
      assert.equal(upstream[field], otherwise, value);
    }
  });
}

// Contract: site_id | integer | yes | none | Must be greater than 0 after …
test('site_id is read from numbers and decimal strings and truncated to an integer', async () => {
  for (const value of ['1', '1.0', '1.99', '"1"', '" 1 "', '"+1"', '"1.5"', '"1e0"', '10e-1']) {
    const body = `{"name":"Zahl","site_id":${value}}`;
    assert.equal((await service.call('POST', 'vouchers.php', { body })).status, 201, value);
  }
});

const qosColumns = { down: 'down_kbps', up: 'up_kbps', quota_mb: 'quota_mb' } as const;

// Contract: qos | object | no | all three limits 0 | See the next table. …
// Contract: The three values are passed to the upstream controller when the …
// Contract: The voucher is created on the site's upstream controller under …
test('the three qos values are passed to the controller, each in its own field', async () => {
  const { upstream } = await create(',"qos":{"down":10000,"up":2000,"quota_mb":512}');
  assert.equal(upstream.down_kbps, 10_000);
  assert.equal(upstream.up_kbps, 2_000);
  assert.equal(upstream.quota_mb, 512);
});

for (const [field, column] of Object.entries(qosColumns)) {
  // Contract: down | integer | kbit/s (download) | Absent means 0; negative …
  // Contract: up | integer | kbit/s (upload) | Absent means 0; negative values …
  // Contract: quota_mb | integer | MB (data quota) | Absent means 0; negative …
  test(`qos.${field} is 0 if it is missing or not a number`, async () => {
    for (const qos of ['{}', ...[...absent, ...notDecimal].map((value) => `{"${field}":${value}}`)])
      assert.equal((await create(`,"qos":${qos}`)).upstream[column], 0, qos);
  });

  // Contract: down | integer | kbit/s (download) | Absent means 0; negative …
  // Contract: Values are converted to integers.
  // Contract: `max_uses` and `expire_minutes` are clamped to their defaults …
  // Contract: qos minimum | 0 | POST /vouchers.php
  // Contract: up | integer | kbit/s (upload) | Absent means 0; negative values …
  // Contract: quota_mb | integer | MB (data quota) | Absent means 0; negative …
  test(`qos.${field} is read from numbers and decimal strings, and negative values become 0`, async () => {
    for (const [value, integer] of readAs)
      assert.equal((await create(`,"qos":{"${field}":${value}}`)).upstream[column], integer, value);
    for (const value of belowOne)
      assert.equal((await create(`,"qos":{"${field}":${value}}`)).upstream[column], 0, value);
  });
}

// Contract: qos | object | no | all three limits 0 | See the next table. …
test('a qos that is not an object counts as absent: all three limits are 0', async () => {
  for (const qos of ['null', 'true', '5', '"down"', '[]', '[{"down":5}]', '"{\\"down\\":5}"']) {
    const { upstream } = await create(`,"qos":${qos}`);
    for (const column of Object.values(qosColumns)) assert.equal(upstream[column], 0, qos);
  }
});

// Contract: They are not echoed in the response.
test('qos is not echoed in the response', async () => {
  const { reply } = await create(',"qos":{"down":76543,"up":76543,"quota_mb":76543}');
  assert.ok(!reply.text.includes('76543'));
  assert.ok(!reply.text.includes('qos'));
});

test('unknown fields are ignored', async () => {
  const { reply } = await create(',"user_id":1,"code":"0000000000","note":{"a":[1]},"qos":{"left":9}');
  assert.notEqual(reply.json.code, '0000000000');
  const row = service.rows('select owner_user_id from vouchers order by id desc limit 1')[0];
  assert.equal(row?.owner_user_id, null);
});
