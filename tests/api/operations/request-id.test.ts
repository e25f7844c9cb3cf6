// Every response has an X-Request-Id, and the log describes the request under that id.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CallOptions, startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

function logOf(requestId: string | null): Record<string, unknown>[] {
  return service.logLines.filter((line) => line.requestId === requestId);
}

test('every response has a unique request id, and the log has a line with that id', async () => {
  const read = await service.issueKey('read');
  const limited = await service.issueKey('read', 1);
  const nothing = await service.addSite('fail:nothing');
  await service.call('GET', 'sites.php', { key: limited });
  const cases: [number, string, string, CallOptions?][] = [
    [200, 'GET', 'sites.php'],
    [200, 'GET', 'openapi.php'],
    [200, 'GET', '/healthz'],
    [200, 'GET', '/readyz'],
    [200, 'GET', '/metrics'],
    [201, 'POST', 'vouchers.php', { body: { site_id: 1, name: 'x' } }],
    [304, 'GET', 'vouchers.php?site_id=1', { headers: { 'if-none-match': '*' } }],
    [400, 'GET', 'vouchers.php'],
    [401, 'GET', 'vouchers.php?site_id=1', { key: null }],
    [403, 'POST', 'vouchers.php', { key: read }],
    [404, 'POST', 'vouchers.php', { body: { site_id: 99, name: 'x' } }],
    [404, 'GET', '/unknown'],
    [405, 'PUT', 'vouchers.php'],
    [413, 'POST', 'vouchers.php', { body: 'x'.repeat(65_537) }],
    [429, 'GET', 'sites.php', { key: limited }],
    [502, 'POST', 'vouchers.php', { body: { site_id: nothing, name: 'x' } }],
  ];
  const ids = new Set<string | null>();
  for (const [status, method, path, options] of cases) {
    const reply = await service.call(method, path, options);
    assert.equal(reply.status, status, path);
    const id = reply.headers.get('x-request-id');
    assert.match(id ?? '', /^[\w-]{8,64}$/);
    ids.add(id);
    const responded = logOf(id).filter(({ msg }) => msg === 'answered');
    assert.equal(responded.length, 1);
    assert.partialDeepStrictEqual(responded[0], { method, status, ip: '127.0.0.1' });
  }
  assert.equal(ids.size, cases.length);
});

test('a request id sent by the client is ignored', async () => {
  const reply = await service.call('GET', 'sites.php', { headers: { 'x-request-id': 'mine' } });
  assert.notEqual(reply.headers.get('x-request-id'), 'mine');
});

test('every line about a request names the trace of its header `traceparent`, and no line of another', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const order = (headers: Record<string, string>) =>
    service.call('POST', 'vouchers.php', { body: { site_id: 1, name: 'Spur' }, headers });
  const traceIdsOf = ({ headers }: { headers: Headers }) =>
    logOf(headers.get('x-request-id')).map(({ msg, traceId }) => [msg, traceId]);
  const traced = await order({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  assert.deepEqual(traceIdsOf(traced), [
    ['voucher created', traceId],
    ['answered', traceId],
  ]);
  assert.equal(typeof logOf(traced.headers.get('x-request-id'))[0]?.controllerMs, 'number');
  const page = await service.call('GET', '/login', {
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-00` },
  });
  assert.deepEqual(traceIdsOf(page), [['answered', traceId]]);
  for (const headers of [{}, { traceparent: `00-${traceId}-x-01` }])
    assert.deepEqual(traceIdsOf(await order(headers)), [
      ['voucher created', undefined],
      ['answered', undefined],
    ]);
});

test('the log explains a 500 under the request id of the response', async () => {
  const siteId = await service.addSite('fail:throw');
  const reply = await service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'x' } });
  assert.equal(reply.status, 500);
  const errors = logOf(reply.headers.get('x-request-id')).filter(({ level }) => level === 'error');
  const detail = JSON.stringify(errors);
  assert.match(detail, /the simulated driver broke down/);
  assert.match(detail, /"stack":"[^"]*driver\.ts/);
});

test('the log contains the key’s id and the client’s IP address, also behind a trusted proxy', async (t) => {
  const proxied = await startTestService({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  t.after(() => proxied.stop());
  const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
  const trusted = await proxied.call('GET', 'sites.php', { headers });
  const line = proxied.logLines.find(({ requestId }) => requestId === trusted.headers.get('x-request-id'));
  assert.partialDeepStrictEqual(line, { keyId: proxied.keyText.slice(4, 12), ip: '198.51.100.7' });

  const direct = await service.call('GET', 'sites.php', { headers });
  assert.equal(logOf(direct.headers.get('x-request-id'))[0]?.ip, '127.0.0.1');
});
