// Versions: the description has a version, paths and headers have none, and nothing is deprecated.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const REQUESTS = [
  ['GET', 'sites.php'],
  ['GET', 'vouchers.php?site_id=1'],
  ['POST', 'vouchers.php'],
  ['DELETE', 'vouchers.php'],
  ['GET', 'openapi.php'],
] as const;

// Contract: Paths carry no version segment and no version header is used.
test('no path has a version segment', async () => {
  const { json } = await service.call('GET', 'openapi.php');
  const paths = [...Object.keys(json.paths), new URL(json.servers[0].url).pathname];
  for (const path of paths) assert.doesNotMatch(path, /\d/);
  assert.equal((await service.call('GET', '/api/v1/sites.php')).status, 404);
  assert.equal((await service.call('GET', '/v1/api/sites.php')).status, 404);
});

// Contract: Paths carry no version segment and no version header is used.
test('no response has a version header, and version headers in a request are ignored', async () => {
  const headers = { 'api-version': '99', 'accept-version': '99', 'x-api-version': '99' };
  for (const [method, path] of REQUESTS) {
    const plain = await service.call(method, path);
    const asked = await service.call(method, path, { headers });
    assert.deepEqual([asked.status, asked.text], [plain.status, plain.text]);
    assert.deepEqual(
      [...plain.headers.keys()].filter((name) => name.includes('version')),
      [],
    );
  }
});

// Contract: Deprecation policy and compatibility guarantees: not shown.
test('neither the description nor a response marks anything as deprecated', async () => {
  const { text } = await service.call('GET', 'openapi.php');
  assert.ok(!text.includes('deprecated'));
  for (const [method, path] of REQUESTS) {
    const { headers } = await service.call(method, path);
    assert.equal(headers.get('deprecation'), null);
    assert.equal(headers.get('sunset'), null);
  }
});
