// METRICS_TOKEN: /metrics asks for the token, never logs it, and nothing else asks for it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';

const TOKEN = 'pr0metheus-reads-this';

let service: TestService;
before(async () => {
  service = await startTestService({ environment: { METRICS_TOKEN: TOKEN, LOG_LEVEL: 'trace' } });
});
after(() => service.stop());

test('the metrics are served with the token, for GET and HEAD', async () => {
  for (const method of ['GET', 'HEAD'])
    assert.equal((await service.call(method, '/metrics', { key: TOKEN })).status, 200);
  const headers = { authorization: `bearer  ${TOKEN}` };
  assert.match((await service.call('GET', '/metrics', { key: null, headers })).text, /process_start_time/);
});

test('without the token, or with a wrong one, the response is 401 and says what is needed', async () => {
  const none = await service.call('GET', '/metrics', { key: null });
  assert.deepEqual([none.status, none.json.error], [401, 'unauthorized']);
  assert.equal(none.headers.get('www-authenticate'), 'Bearer realm="gastpass metrics"');
  for (const key of [`${TOKEN}x`, TOKEN.slice(1), TOKEN.toUpperCase(), service.keyText]) {
    const wrong = await service.call('GET', '/metrics', { key });
    assert.equal(wrong.status, 401, key);
    assert.match(wrong.headers.get('www-authenticate') ?? '', /, error="invalid_token"$/);
    assert.doesNotMatch(wrong.text, /process_/);
  }
  const elsewhere = { 'x-api-key': TOKEN, cookie: `token=${TOKEN}` };
  assert.equal(
    (await service.call('GET', `/metrics?token=${TOKEN}`, { key: null, headers: elsewhere })).status,
    401,
  );
});

test('health checks and the API do not need the token', async () => {
  for (const path of ['/healthz', '/readyz'])
    assert.equal((await service.call('GET', path, { key: null })).status, 200);
  assert.equal((await service.call('GET', 'sites.php')).status, 200);
  assert.equal((await service.call('GET', 'sites.php', { key: TOKEN })).status, 401);
});

test('the token is never logged', () => {
  assert.ok(service.logLines.length > 5);
  assert.doesNotMatch(JSON.stringify(service.logLines), /pr0metheus/i);
});
