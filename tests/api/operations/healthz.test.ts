// GET /healthz: tells whether the process is alive. It requires no key and no database.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { VERSION } from '../../../src/platform/config/version.ts';
import { refusingInserts } from '../../support/disturb-records.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

test('a running process responds to GET and HEAD with 200, without a key', async () => {
  const reply = await service.call('GET', '/healthz', { key: null });
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.json, { status: 'ok', version: VERSION });
  assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(reply.headers.get('cache-control'), 'no-store');

  const head = await service.call('HEAD', '/healthz', { key: null });
  assert.equal(head.status, 200);
  assert.equal(head.text, '');
});

test('the process is healthy even if its database cannot be written to', async () => {
  const { status } = await refusingInserts(service, { table: 'settings', text: 'no writing today' }, () =>
    service.call('GET', '/healthz'),
  );
  assert.equal(status, 200);
});

test('the operations endpoints are outside the base path and accept only GET and HEAD', async () => {
  for (const page of ['healthz', 'readyz', 'metrics']) {
    assert.equal((await service.call('GET', `/api/${page}`)).status, 404);
    const posted = await service.call('POST', `/${page}`);
    assert.equal(posted.status, 405);
    assert.deepEqual(posted.json, { error: 'method_not_allowed' });
    assert.equal(posted.headers.get('allow'), 'GET, HEAD');
  }
});
