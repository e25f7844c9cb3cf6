// Vouchers in the official API: orders, bounds, pages, deleting, and validation errors.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type TestConsole, useConsoles } from './support/test-console.ts';

const startConsole = useConsoles();

let console: TestConsole;
let path: string;
before(async () => {
  console = await startConsole();
  path = `/sites/${console.siteUuid}/hotspot/vouchers`;
});

const MINIMAL = { count: 1, name: 'Zimmer 12', timeLimitMinutes: 60 };
const create = (fields: object) => console.integration('POST', path, { body: { ...MINIMAL, ...fields } });

test('the response to an order contains complete vouchers, including codes', async () => {
  const limits = {
    authorizedGuestLimit: 1,
    dataUsageLimitMBytes: 2048,
    rxRateLimitKbps: 10_000,
    txRateLimitKbps: 2000,
  };
  const { status, json, headers } = await create({ count: 2, ...limits });
  assert.equal(status, 201);
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(json.vouchers.length, 2);
  const [{ id, code, ...rest }] = json.vouchers;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.match(code, /^\d{10}$/);
  const createdAt = new Date(console.clock.nowMs()).toISOString().replace('.000', '');
  const facts = { name: 'Zimmer 12', timeLimitMinutes: 60, authorizedGuestCount: 0, expired: false };
  assert.deepEqual(rest, { createdAt, ...facts, ...limits });
});

test('null means absent in orders, and absent values are left out of responses', async () => {
  const nothing = { authorizedGuestLimit: null, dataUsageLimitMBytes: null, rxRateLimitKbps: null };
  const { status, json } = await create({ ...nothing, txRateLimitKbps: null });
  assert.equal(status, 201);
  assert.deepEqual(Object.keys(json.vouchers[0]).sort(), [
    'authorizedGuestCount',
    'code',
    'createdAt',
    'expired',
    'id',
    'name',
    'timeLimitMinutes',
  ]);
});

describe('an order outside the bounds', () => {
  const refusals: [object, string][] = [
    [{ timeLimitMinutes: 1_000_001 }, 'timeLimitMinutes must be less than or equal to 1000000'],
    [{ timeLimitMinutes: 0 }, 'timeLimitMinutes must be greater than or equal to 1'],
    [{ timeLimitMinutes: null }, 'timeLimitMinutes must not be null'],
    [{ timeLimitMinutes: '60' }, 'timeLimitMinutes must be an integer'],
    [{ count: 0 }, 'count must be greater than or equal to 1'],
    [{ count: 1001 }, 'count must be less than or equal to 1000'],
    [{ count: 1.5 }, 'count must be an integer'],
    [{ name: undefined }, 'name must not be null'],
    [{ name: '' }, 'name size must be between 1 and 2147483647'],
    [{ authorizedGuestLimit: 0 }, 'authorizedGuestLimit must be greater than or equal to 1'],
    [{ dataUsageLimitMBytes: 1_048_577 }, 'dataUsageLimitMBytes must be less than or equal to 1048576'],
    [{ dataUsageLimitMBytes: 0 }, 'dataUsageLimitMBytes must be greater than or equal to 1'],
    [{ rxRateLimitKbps: 1 }, 'rxRateLimitKbps must be greater than or equal to 2'],
    [{ txRateLimitKbps: 100_001 }, 'txRateLimitKbps must be less than or equal to 100000'],
    [{ id: 'mine' }, "Unknown request body property '$.id'"],
  ];
  for (const [fields, message] of refusals)
    test(`${JSON.stringify(fields)}: ${message}`, async () => {
      const before = console.controls.counters().vouchersCreated;
      const { status, json } = await create(fields);
      assert.deepEqual([status, json.message], [400, message]);
      const isUnknown = 'id' in fields;
      assert.equal(json.code, `api.request.${isUnknown ? 'unknown-property' : 'validation-failed'}`);
      assert.equal(console.controls.counters().vouchersCreated, before);
    });

  test('a body that is not a JSON object is refused', async () => {
    for (const body of ['', '{"name":', '[]', 'null'])
      assert.equal((await console.integration('POST', path, { body })).status, 400, body);
  });
});

test('with createWithoutCountIsLost, an order without count returns a voucher that is not stored', async () => {
  console.controls.switches.createWithoutCountIsLost = true;
  const { json } = await create({ count: undefined });
  const [kept] = (await create({ count: 1 })).json.vouchers;
  console.controls.switches.createWithoutCountIsLost = false;
  assert.equal((await console.integration('GET', `${path}/${json.vouchers[0].id}`)).status, 404);
  assert.equal((await console.integration('GET', `${path}/${kept.id}`)).status, 200);
  const [usual] = (await create({ count: undefined })).json.vouchers;
  assert.equal((await console.integration('GET', `${path}/${usual.id}`)).status, 200);
});

describe('pages', () => {
  let pages: TestConsole;
  let list: string;
  before(async () => {
    pages = await startConsole();
    list = `/sites/${pages.siteUuid}/hotspot/vouchers`;
    pages.controls.fill({ count: 1250, note: 'page' });
  });
  const facts = async (query: string) => {
    const { data, ...rest } = (await pages.integration('GET', list + query)).json;
    return { ...rest, length: data.length };
  };

  test('contain a hundred vouchers by default, and at most a thousand', async () => {
    assert.deepEqual(await facts(''), { offset: 0, limit: 100, count: 100, totalCount: 1250, length: 100 });
    assert.deepEqual(await facts('?limit=10000&offset=1000'), {
      offset: 1000,
      limit: 1000,
      count: 250,
      totalCount: 1250,
      length: 250,
    });
  });

  test('may be empty, with a limit of 0 or beyond the end', async () => {
    assert.deepEqual(await facts('?limit=0'), { offset: 0, limit: 0, count: 0, totalCount: 1250, length: 0 });
    assert.equal((await facts('?offset=5000')).length, 0);
  });

  test('together contain every voucher once', async () => {
    const ids = new Set<string>();
    for (let offset = 0; offset < 1250; offset += 400)
      for (const { id } of (await pages.integration('GET', `${list}?offset=${offset}&limit=400`)).json.data)
        ids.add(id);
    assert.equal(ids.size, 1250);
  });

  test('are refused for invalid numbers, and an empty query is accepted', async () => {
    assert.equal((await pages.integration('GET', `${list}?limit=ten`)).status, 400);
    assert.equal((await pages.integration('GET', `${list}?offset=-1`)).status, 400);
    assert.equal((await pages.integration('GET', `${list}?`)).status, 200);
  });
});

test('a voucher is shown and deleted by its id, once', async () => {
  const [voucher] = (await create({})).json.vouchers;
  const own = `${path}/${voucher.id}`;
  assert.deepEqual((await console.integration('GET', own)).json, voucher);
  const deleted = await console.integration('DELETE', own);
  assert.deepEqual([deleted.status, deleted.json], [200, { vouchersDeleted: 1 }]);
  assert.equal((await console.integration('GET', own)).status, 404);
  assert.equal((await console.integration('DELETE', own)).status, 404);
});

test('several vouchers are deleted by a filter, and never without a filter', async () => {
  await create({ count: 3, name: "it's over" });
  const filter = new URLSearchParams({ filter: "name.eq('it''s over')" });
  assert.deepEqual((await console.integration('DELETE', `${path}?${filter}`)).json, { vouchersDeleted: 3 });
  assert.deepEqual((await console.integration('DELETE', `${path}?${filter}`)).json, { vouchersDeleted: 0 });
  const { vouchers } = console.controls.counters();
  const refused = await console.integration('DELETE', path);
  assert.deepEqual([refused.status, refused.json.code], [400, 'api.request.error']);
  assert.equal(console.controls.counters().vouchers, vouchers);
});
