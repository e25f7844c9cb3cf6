// Gets every documented status of every operation from a service. Each response is checked against the OpenAPI document
// on the way (openapi-v1-check.ts), and at the end no documented status is left over.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { refusingInserts } from '../../support/disturb-records.ts';
import { checkAgainstV1, documentedStatuses, seen } from '../../support/openapi-v1-check.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { beginPost } from '../../support/slow-requests.ts';
import {
  type CallOptions,
  type Reply,
  startTestService,
  type TestService,
} from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { tracesOf } from '../support/post-vouchers-traces.ts';

const NO_BATCH = '00000000-0000-4000-8000-000000000000';
const order = { site: 1, name: 'Zimmer 12' };
const withKey = (name: string) => ({ 'idempotency-key': name });

let service: TestService;
before(async () => {
  service = await startTestService({ limits: { stallMs: 100, checkEveryMs: 10 } });
});
after(() => service.stop());

/** A call of each operation, with a voucher and a batch that may not exist. */
function everyCall({ id = 1, code = '0000000000', batch = NO_BATCH } = {}): [string, string, CallOptions][] {
  return [
    ['GET', 'v1/vouchers', {}],
    ['POST', 'v1/vouchers', { body: order }],
    ['GET', `v1/vouchers/${id}`, {}],
    ['GET', `v1/vouchers/by-code/1/${code}`, {}],
    ['POST', `v1/vouchers/${id}/revoke`, {}],
    ['GET', `v1/batches/${batch}`, {}],
    ['POST', `v1/batches/${batch}/resume`, {}],
    ['GET', 'v1/sites', {}],
    ['GET', 'v1/sites/1', {}],
    ['GET', 'v1/key', {}],
  ];
}

async function callAll(options: CallOptions = {}, of: TestService = service): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const [method, path, own] of everyCall())
    replies.push(await of.call(method, path, { ...own, ...options }));
  return replies;
}

function assertAll(replies: Reply[], status: number, kind: string): void {
  for (const { status: got, json } of replies)
    assert.deepEqual([got, json.type], [status, `/api-docs/problems#${kind}`]);
}

async function assertProblem(reply: Reply | Promise<Reply>, status: number, kind: string): Promise<Reply> {
  const got = await reply;
  assertAll([got], status, kind);
  assert.equal(got.json.retry, got.headers.get('gastpass-retry'));
  assert.equal(got.json.cause, got.headers.get('gastpass-cause'));
  assert.equal(got.json.request_id, got.headers.get('x-request-id'));
  return got;
}

const create = (body: object | string, headers = {}) =>
  service.call('POST', 'v1/vouchers', { body, headers });

test('every call succeeds', async () => {
  const created = await create(order);
  const [{ id, code }] = created.json.vouchers;
  assert.equal(created.headers.get('location'), `/api/v1/vouchers/${id}`);
  const accepted = await create({ ...order, count: 2 });
  assert.equal(accepted.status, 202);
  const { id: batch } = accepted.json.batch;
  assert.equal(accepted.headers.get('location'), `/api/v1/batches/${batch}`);
  for (const [method, path, options] of everyCall({ id, code, batch }))
    assert.equal(
      (await service.call(method, path, options)).status,
      path === 'v1/vouchers' && options.body ? 201 : path.endsWith('/resume') ? 202 : 200,
      path,
    );
  const { headers } = await service.call('GET', 'v1/vouchers');
  const again = await service.call('GET', 'v1/vouchers', {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  assert.equal(again.status, 304);
});

test('every call is refused without a key, with a wrong key, and beyond the rate limit', async () => {
  assertAll(await callAll({ key: null }), 401, 'unauthorized');
  const wrong = await callAll({ key: 'gpk_wrong' });
  assertAll(wrong, 401, 'unauthorized');
  assert.match(wrong[0]?.headers.get('www-authenticate') ?? '', /invalid_token/);
  const key = await service.issueKey('write', 1);
  await service.call('GET', 'v1/key', { key });
  const limited = await callAll({ key });
  assertAll(limited, 429, 'rate-limited');
  assert.match(limited[0]?.headers.get('retry-after') ?? '', /^\d+$/);
});

test('calls that write need a write key, and a key that this release cannot read may do nothing', async () => {
  const key = await service.issueKey('read', 0, 'of the future');
  await assertProblem(service.call('POST', 'v1/vouchers', { key, body: order }), 403, 'scope-missing');
  await assertProblem(service.call('POST', 'v1/vouchers/1/revoke', { key }), 403, 'scope-missing');
  await assertProblem(service.call('POST', `v1/batches/${NO_BATCH}/resume`, { key }), 403, 'scope-missing');
  service.change("update api_keys set site_ids = 'all but 1' where name = 'of the future'");
  assertAll(await callAll({ key }), 403, 'scope-missing');
});

test('every call with two Host headers is refused', async () => {
  for (const [method, path] of everyCall()) {
    const head = `${method} /api/${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`;
    const [start = '', body = ''] = (await rawRequest(service.url, head)).split('\r\n\r\n');
    assert.match(start, /^HTTP\/1.1 400 /);
    const headers = new Headers({ 'content-type': /content-type: (.+)/.exec(start)?.[1] ?? '' });
    checkAgainstV1(method, path.slice(2), { status: 400, headers, text: body, json: JSON.parse(body) });
  }
});

test('what does not exist is not found', async () => {
  await assertProblem(create({ ...order, site: 999 }), 404, 'site-not-found');
  await assertProblem(create({ ...order, profile: 999 }), 404, 'profile-not-found');
  await assertProblem(create({ ...order, print: 999 }), 400, 'printer-unknown');
  for (const id of ['999', '0', 'x', '999999999999999', '1%00']) {
    await assertProblem(service.call('GET', `v1/vouchers/${id}`), 404, 'voucher-not-found');
    await assertProblem(service.call('POST', `v1/vouchers/${id}/revoke`), 404, 'voucher-not-found');
    await assertProblem(service.call('GET', `v1/sites/${id}`), 404, 'site-not-found');
    await assertProblem(service.call('GET', `v1/batches/${id}`), 404, 'batch-not-found');
    await assertProblem(
      service.call('GET', `v1/vouchers/by-code/${id}/0000000000`),
      404,
      'voucher-not-found',
    );
    await assertProblem(service.call('GET', `v1/vouchers/by-code/1/${id}`), 404, 'voucher-not-found');
  }
  await assertProblem(service.call('GET', `v1/batches/${NO_BATCH}`), 404, 'batch-not-found');
  await assertProblem(service.call('POST', `v1/batches/${NO_BATCH}/resume`), 404, 'batch-not-found');
  for (const path of ['v1/', 'v1/nothing', 'v1/vouchers/1/2', 'v1/vouchers/', 'v1/vouchers/%E0%A4%A'])
    await assertProblem(service.call('GET', path, { key: null }), 404, 'path-unknown');
  const refused = await assertProblem(service.call('DELETE', 'v1/vouchers'), 405, 'method-not-allowed');
  assert.equal(refused.headers.get('allow'), 'GET, POST');
});

test('bodies that cannot be read are refused', async () => {
  await assertProblem(create('{'), 400, 'invalid-json');
  await assertProblem(create({}), 400, 'invalid-request');
  await assertProblem(create(' '.repeat(70_000)), 413, 'body-too-large');
  const headers = [`X-API-Key: ${service.keyText}`];
  const { closed, respond } = beginPost(service.url, '/api/v1/vouchers', { headers });
  await closed;
  assert.match(respond(), /^HTTP\/1\.1 408 .*body-too-slow/s);
  seen.add('createVouchers 408');
  await assertProblem(service.call('GET', 'v1/vouchers?limit=501'), 400, 'invalid-request');
});

test('an Idempotency-Key is refused with another body, and while its outcome is not known', async () => {
  assert.equal((await create(order, withKey('bk-1'))).status, 201);
  await assertProblem(create({ ...order, name: 'x' }, withKey('bk-1')), 422, 'idempotency-key-reused');
  const slow = { ...order, site: await service.addSite('fail:time-out', 'Langsam') };
  const first = create(slow, withKey('bk-2'));
  await until(() => tracesOf(service).intents > 0);
  const meanwhile = await assertProblem(create(slow, withKey('bk-2')), 409, 'idempotency-in-progress');
  assert.equal(meanwhile.json.retry, 'after-settling');
  const lost = await assertProblem(first, 502, 'creation-failed');
  assert.equal(lost.json.retry, 'after-settling');
});

test('a failed batch is not resumed while an outcome is unknown, and not after another order took its place', async () => {
  const accepted = await create({ ...order, count: 2, site: await service.addSite('fail:refuse', 'Kaputt') });
  const { id } = accepted.json.batch;
  await until(
    () => service.rows(`select 1 from batches where id = '${id}' and ended_at_ms is not null`).length,
  );
  const resume = () => service.call('POST', `v1/batches/${id}/resume`);
  service.change(
    `insert into intents (site_id, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, source, created_at_ms,
      batch_id) values (1, 'x', 1, 60, 0, 0, 0, 'API: Test', ?, ?)`,
    service.clock.nowMs(),
    id,
  );
  const unsettled = await assertProblem(resume(), 409, 'batch-unsettled');
  assert.equal(unsettled.json.retry, 'after-settling');
  assert.match(unsettled.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  service.change(`delete from intents where batch_id = '${id}'`);
  service.change(`update batches set replaced_by = 'another' where id = '${id}'`);
  await assertProblem(resume(), 409, 'batch-not-resumable');
});

test('a dead console is told from a busy one, and what may be repeated is said', async () => {
  const failing: [string, number, string, string][] = [
    ['fail:refuse', 502, 'creation-failed', 'no'],
    ['fail:unreachable', 502, 'creation-failed', 'yes'],
    ['fail:nothing', 502, 'no-valid-voucher', 'after-settling'],
  ];
  for (const [kind, status, problem, retry] of failing) {
    const site = await service.addSite(kind, kind);
    const reply = await assertProblem(create({ ...order, site }), status, problem);
    assert.equal(reply.json.retry, retry, kind);
  }
  const { id } = (await create(order)).json.vouchers[0];
  service.change("update sites set controller_site = 'fail:unreachable' where id = 1");
  await assertProblem(service.call('POST', `v1/vouchers/${id}/revoke`), 502, 'revocation-failed');
  service.change("update sites set controller_site = 'default' where id = 1");
});

test('an error of the database is 500, and a service that is full is 503', async () => {
  const reply = await refusingInserts(service, { table: 'vouchers', text: 'the index is upset' }, () =>
    create(order),
  );
  await assertProblem(reply, 500, 'server-error');
  assert.equal(reply.json.retry, 'after-settling');
  service.change('alter table api_keys rename to hidden_keys');
  assertAll(await callAll(), 500, 'server-error');
  service.change('alter table hidden_keys rename to api_keys');

  const full = await startTestService({ limits: { maxConcurrentRequests: 0 } });
  assertAll(await callAll({}, full), 503, 'unavailable');
  await full.stop();
});

after(() =>
  assert.deepEqual(
    documentedStatuses().filter((status) => !seen.has(status)),
    [],
  ),
);
