// POST /revoke.php refuses like POST /vouchers.php: the first fault determines the response, in the order key, rate
// limit, method, scope, input, site, voucher, controller. A refused request revokes nothing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asKeyId, asSiteId } from '../../../src/domain/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { idOf } from '../keys/forge-key.ts';

const audit = { actor: TESTER, atMs: 0 };

let service: TestService;
let code: string;
before(async () => {
  service = await startTestService({ limits: { stallMs: 100, checkEveryMs: 10 } });
  code = await create(1);
});
after(() => service.stop());

async function create(siteId: number): Promise<string> {
  const { json } = await service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'x' } });
  return json.code;
}

const send = (body: unknown, key?: string | null, method = 'POST') =>
  service.call(method, 'revoke.php', { body, ...(key !== undefined && { key }) });

async function assertRefused(body: unknown, message: string, status = 400): Promise<void> {
  const reply = await send(body);
  assert.deepEqual([reply.status, reply.json.message], [status, message], JSON.stringify(body).slice(0, 80));
}

test('only the first fault is reported', async () => {
  const key = await service.issueKey('read', 1);
  const id = asKeyId(idOf(key));
  await service.call('GET', 'sites.php', { key });

  const without = await send('{', null, 'PUT');
  assert.equal(without.status, 401);
  assert.equal(without.headers.get('www-authenticate'), 'Bearer realm="gastpass"');
  const wrongKey = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;
  assert.equal((await send('{', wrongKey)).status, 401);
  assert.equal((await send('{', key, 'PUT')).status, 429);
  await service.beside.keys.change(id, { rateLimit: 0 }, audit);
  const method = await send('{', key, 'PUT');
  assert.deepEqual([method.status, method.headers.get('allow')], [405, 'POST']);
  assert.equal(method.text, '{"error":"method_not_allowed"}');
  const scope = await send('{', key);
  assert.deepEqual([scope.status, scope.json.message], [403, "Schlüssel hat keinen 'write'-Scope"]);
  await service.beside.keys.change(id, { scope: 'write' }, audit);
  assert.equal((await send('x'.repeat(70_000), key)).status, 413);
  assert.equal((await send('{', key)).json.message, 'site_id erforderlich');
  assert.equal((await send({ site_id: 999 }, key)).json.message, 'code erforderlich (als Text)');
  assert.equal((await send({ site_id: 999, code: '1' }, key)).json.message, 'Site nicht gefunden');
  assert.equal((await send({ site_id: 1, code: '1' }, key)).json.message, 'Voucher nicht gefunden');
  assert.equal((await send({ site_id: 1, code: await create(1) }, key)).status, 200);
});

test('requests count against the rate limit of the key', async () => {
  const key = await service.issueKey('write', 2);
  assert.equal((await send({}, key)).headers.get('x-ratelimit-remaining'), '1');
  await send({}, key);
  const refused = await send({}, key);
  assert.equal(refused.status, 429);
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
});

test('malformed bodies and fields get a 400', async () => {
  for (const body of ['', '{', '[]', 'null', '"x"', new Uint8Array([0xff, 0xfe])])
    await assertRefused(body, 'site_id erforderlich');
  for (const site_id of [0, -1, null, true, [], {}, 'eins', ''])
    await assertRefused({ site_id, code }, 'site_id erforderlich');
  for (const wrong of [undefined, null, Number(code), true, [code], { code }, '', ' - '])
    await assertRefused({ site_id: 1, code: wrong }, 'code erforderlich (als Text)');
});

test('a code that no voucher can have gets a 404, whatever it contains', async () => {
  const wrong = ['0', `${code}0`, code.slice(1), '\u0000', `${code}\u0000`, "' or 1=1 --", '%', '🎫'];
  for (const typed of [...wrong, '1'.repeat(60_000)])
    await assertRefused({ site_id: 1, code: typed }, 'Voucher nicht gefunden', 404);
});

test('a site that is unknown, inactive or not one of the key’s sites gets the same 404', async () => {
  const other = await service.addSite('default', 'Fremdes Haus');
  const elsewhere = await create(other);
  const bound = await service.beside.issueKey(
    { name: 'Gebunden', scope: 'write', rateLimit: 0, sites: [asSiteId(other)] },
    audit,
  );
  const foreign = await send({ site_id: 1, code }, bound.keyText);
  const unknown = await send({ site_id: 999_999, code }, bound.keyText);
  assert.deepEqual([foreign.status, foreign.json.message], [404, 'Site nicht gefunden']);
  assert.equal(foreign.text, unknown.text);
  await assertRefused({ site_id: 1e10, code }, 'Site nicht gefunden', 404);
  await assertRefused({ site_id: 1, code: elsewhere }, 'Voucher nicht gefunden', 404);

  await service.beside.sites.change(asSiteId(other), { active: false }, audit);
  await assertRefused({ site_id: other, code: elsewhere }, 'Site nicht gefunden', 404);
  await service.beside.sites.change(asSiteId(other), { active: true }, audit);
  assert.equal((await send({ site_id: other, code: elsewhere }, bound.keyText)).status, 200);
});

test('a controller that fails gets a 500 with its text; the voucher stays valid and can be revoked later', async () => {
  const siteId = await service.addSite('default', 'Wackelig');
  const shaky = await create(siteId);
  service.change("update sites set controller_site = 'fail:unreachable' where id = ?", siteId);
  const failed = await send({ site_id: siteId, code: shaky });
  assert.deepEqual([failed.status, failed.json.error], [500, 'server_error']);
  assert.match(failed.json.message, /^this simulated site is told to fail/);
  const requestId = failed.headers.get('x-request-id');
  const line = service.logLines.find(
    (one) => one.requestId === requestId && one.msg === 'voucher not revoked',
  );
  assert.equal(line?.level, 'warn');
  const { json } = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  assert.equal(json.vouchers[0].status, 'valid');
  service.change("update sites set controller_site = 'default' where id = ?", siteId);
  assert.equal((await send({ site_id: siteId, code: shaky })).status, 200);
});

test('a body that does not arrive gets a 408', async () => {
  const body = new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode('{"site_id"')),
  });
  const reply = await fetch(`${service.api}/revoke.php`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.keyText}` },
    body,
    duplex: 'half',
  });
  assert.equal(reply.status, 408);
});

test('no refused request has revoked a voucher', async () => {
  const [row] = service.rows('select revoked_at_s from vouchers where code = ?', code);
  assert.equal(row?.revoked_at_s, null);
});
