// GET /vouchers.php → 400: site_id is missing, not a number, or not positive.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rawRequest } from '../../support/raw-request.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

async function refuses(queries: string[]): Promise<void> {
  for (const query of queries) {
    const reply = await service.call('GET', `vouchers.php${query}`);
    assert.equal(reply.status, 400, query);
    assert.equal(reply.text, '{"error":"invalid_request","message":"site_id erforderlich"}', query);
    assert.equal(reply.headers.get('cache-control'), 'no-store');
  }
}

// Contract: Query parameter `site_id`: integer, required.
// Contract: The value is converted to an integer; a missing, non-numeric …
// Contract: Error body for the cases below: JSON `{ "error": <code>, "message" …
// Contract: 400 | invalid_request | site_id missing or not positive (GET …
test('a missing site_id is refused', async () => {
  await refuses([
    '',
    '?',
    '?site_id',
    '?site_id=',
    '?name=1',
    '?SITE_ID=1',
    '?site_id[]=1',
    '?site-id=1',
    '?1',
  ]);
});

// Contract: The value is converted to an integer; a missing, non-numeric …
test('a site_id that is not a number is refused', async () => {
  const words = [
    'abc',
    '1abc',
    'abc1',
    '1 2',
    '1,5',
    '0x1',
    '0b1',
    '1_000',
    'null',
    'true',
    'NaN',
    'Infinity',
  ];
  const signs = [
    '%00',
    '1%00',
    '%E2%80%8B1',
    '%D9%A1',
    '½',
    '[]',
    '{}',
    '"1"',
    '%ZZ',
    '%',
    '--1',
    '1e',
    'e1',
    '.',
  ];
  await refuses([...words, ...signs].map((text) => `?site_id=${text}`));
});

// Contract: The value is converted to an integer; a missing, non-numeric …
// Contract: 400 | invalid_request | site_id missing or not positive (GET …
test('a site_id that is not positive is refused', async () => {
  const values = [
    '0',
    '-0',
    '-1',
    '00',
    '0.0',
    '0.999',
    '-1.5',
    '1e-1',
    '-1e308',
    '-99999999999999999999',
    '1e-999',
  ];
  await refuses(values.map((text) => `?site_id=${text}`));
});

test('if site_id is repeated, an invalid last value is refused even if an earlier value is valid', async () => {
  await refuses([
    '?site_id=1&site_id=',
    '?site_id=1&site_id=0',
    '?site_id=1&site_id=abc',
    '?site_id=1&site_id',
  ]);
});

test('site_id is read only from the URL, not from the body', async () => {
  const body = '{"site_id":1}';
  const lines = [
    'GET /api/vouchers.php HTTP/1.1',
    'Host: x',
    'Connection: close',
    `X-API-Key: ${service.keyText}`,
    `Content-Length: ${body.length}`,
  ];
  const response = await rawRequest(service.url, `${lines.join('\r\n')}\r\n\r\n${body}`);
  assert.match(response, /^HTTP\/1\.1 400 /);
  assert.match(response, /site_id erforderlich/);
});
