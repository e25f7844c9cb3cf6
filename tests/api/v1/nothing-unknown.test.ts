// Every call refuses what it does not take, and problems name what is wrong: unknown parameters, bodies where none
// belong, a byte order mark, an end that is too far away, and characters that hide or reorder a note or a reference.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rawRequest } from '../../support/raw-request.ts';
import { type Reply, startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
let id: number;
before(async () => {
  service = await startTestService();
  ({ id } = await service.client.createVoucher({ site: 1, name: 'Zimmer 12' }));
});
after(() => service.stop());

const order = (body: object | string | Uint8Array) =>
  service.call('POST', 'v1/vouchers', {
    body: typeof body === 'string' || body instanceof Uint8Array ? body : { site: 1, name: 'x', ...body },
  });

const calls = (): [string, string][] => [
  ['GET', 'v1/vouchers'],
  ['GET', `v1/vouchers/${id}`],
  ['GET', 'v1/vouchers/by-code/1/0000000000'],
  ['POST', `v1/vouchers/${id}/revoke`],
  ['GET', 'v1/batches/00000000-0000-4000-8000-000000000000'],
  ['GET', 'v1/sites'],
  ['GET', 'v1/sites/1'],
  ['GET', 'v1/key'],
  ['GET', 'v1/openapi.json'],
];

function assertErrors({ status, json }: Reply, errors: Record<string, string>): void {
  assert.deepEqual([status, json.type], [400, '/api-docs/problems#invalid-request'], JSON.stringify(json));
  const told = json.errors.map(({ field, message }: Record<string, string>) => [field, message]);
  assert.deepEqual(Object.fromEntries(told), errors);
}

test('unknown parameters are refused by every call, and nothing is done', async () => {
  const dryRun = { dry_run: 'is not known' };
  for (const [method, path] of calls())
    assertErrors(await service.call(method, `${path}?dry_run=true`), dryRun);
  const ordered = await service.call('POST', 'v1/vouchers?dry_run=true', { body: { site: 1, name: 'x' } });
  assertErrors(ordered, dryRun);
  const twice = await service.call('GET', 'v1/key?a=1&a=2&b');
  assertErrors(twice, { a: 'must not be given more than once', b: 'is not known' });
  assert.equal((await service.client.getVoucher(id)).status, 'unused');
  assert.equal((await service.client.listVouchers()).vouchers.length, 1);
});

test('a body where none belongs is refused by every call, and nothing is done', async () => {
  const body = '{"dry_run":true}';
  for (const [method, path] of calls()) {
    // Twice: the response of a list may be kept.
    await service.call(method === 'GET' ? 'GET' : 'HEAD', path);
    const head = `${method} /api/${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${service.keyText}\r\n`;
    for (const sent of [
      `Content-Length: ${body.length}\r\n\r\n${body}`,
      `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ]) {
      const text = await rawRequest(service.url, head + sent);
      assert.match(text, /^HTTP\/1.1 400 /, `${method} ${path}`);
      assert.match(text, /"errors":\[\{"field":"body","message":"must be empty"\}\]/);
    }
  }
  assert.equal((await service.client.getVoucher(id)).status, 'unused');
  const empty = await service.call('POST', `v1/vouchers/${id}/revoke`, { body: '' });
  assert.deepEqual([empty.status, empty.json.status], [200, 'revoked']);
});

test('a byte order mark is named', async () => {
  const marked = await order(Buffer.from('\ufeff{"site":1,"name":"x"}'));
  assert.equal(marked.json.detail, 'The body begins with a byte order mark. Send it without.');
});

test('an end that is too far away is named as what was ordered', async () => {
  const far = '4000-01-01T00:00:00Z';
  const { json } = await order({ ends_at: '9000-01-01T00:00:00Z' });
  assert.deepEqual(json.errors, [
    { field: 'ends_at', message: 'must be at most 2147483647 minutes away at this site' },
  ]);
  assert.equal((await order({ ends_at: far })).status, 201);
  assertErrors(await order({ minutes: 2_147_483_648 }), {
    minutes: 'must be a whole number from 1 to 2147483647',
  });
});

test('a note and a reference follow the rule for names, and stored ones are still found', async () => {
  for (const character of ['\n', '\u202e', '\u2066', '\u200b', '\u2060', 'a\ufeffb', '\ud800'])
    for (const field of ['note', 'reference'])
      assert.ok((await order({ [field]: `a${character}b` })).json.errors?.[0].field === field, field);
  assert.equal((await order({ note: 'क्\u200dष 👩\u200d👩\u200d👧', reference: 'a\u200fb' })).status, 201);
  service.change(`update vouchers set reference = 'a\u200bb' where id = ${id}`);
  const { vouchers } = await service.client.listVouchers({ reference: 'a\u200bb' });
  assert.deepEqual(
    vouchers.map((voucher) => voucher.id),
    [id],
  );
});

test('revoking an expired voucher removes it on the console, and its status stays', async () => {
  const made = await service.client.createVoucher({ site: 1, name: 'Kurz', minutes: 1 });
  service.change(`update vouchers set used_count = 1, first_used_at_s = created_at_s where id = ${made.id}`);
  service.clock.advance(120_000);
  assert.equal((await service.client.getVoucher(made.id)).status, 'expired');
  const isOnConsole = async () => {
    const site = (await service.beside.sites.list()).find((one) => one.id === 1);
    assert.ok(site);
    let isListed = false;
    await service.beside.controllerOf(site).forEachVoucherChunk(async (chunk) => {
      isListed ||= chunk.some(({ code }) => code === made.code);
    }, AbortSignal.timeout(10_000));
    return isListed;
  };
  assert.equal(await isOnConsole(), true);
  for (let turn = 0; turn < 2; turn++) {
    const reply = await service.call('POST', `v1/vouchers/${made.id}/revoke`);
    assert.deepEqual([reply.status, reply.json.status], [200, 'expired'], reply.text);
    assert.equal(await isOnConsole(), false);
  }
});
