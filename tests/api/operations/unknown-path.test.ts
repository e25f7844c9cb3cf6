// Requests for unknown paths, and input that is not HTTP.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rawRequest } from '../../support/raw-request.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const NOT_FOUND = '{"error":"not_found","message":"Pfad nicht gefunden"}';

test('an unknown path gets a 404 not_found with every method, even without a key', async () => {
  const paths = [
    '/api',
    '/api/',
    '/api/vouchers',
    '/api/vouchers.php/',
    '/api/vouchers.php/1',
    '/favicon.ico',
  ];
  const close = [
    '/API/vouchers.php',
    '/api//vouchers.php',
    '/vouchers.php',
    '/%61pi/vouchers.php',
    '/api/v2/sites.php',
    '/print',
    '/print/escpos/x',
  ];
  const names = ['/__proto__', '/constructor', '/api/toString', '/api/index.php', '/.env', '/healthz/'];
  for (const path of [...paths, ...close, ...names])
    for (const method of ['GET', 'POST', 'DELETE']) {
      const reply = await service.call(method, path, { key: null });
      assert.equal(reply.status, 404, path);
      assert.equal(reply.text, NOT_FOUND, path);
      assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
    }
});

test('targets with dots, without a leading slash or with unusual bytes get a 404', async () => {
  const targets = [
    '/api/../api/vouchers.php',
    '/../../etc/passwd',
    '*',
    'http://other.example',
    '/%00',
    '/%',
  ];
  for (const target of targets) {
    const method = target === '*' ? 'OPTIONS' : 'GET';
    const response = await rawRequest(
      service.url,
      `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    assert.match(response, /^HTTP\/1\.1 404 /, target);
    assert.ok(response.endsWith(NOT_FOUND), target);
  }
});

test('input that is not HTTP gets a 400 and a closed connection, and the service keeps running', async () => {
  for (const bytes of [
    '\r\n\r\nhello\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n',
  ]) {
    const response = await rawRequest(service.url, bytes);
    assert.match(response, /^HTTP\/1\.1 400 /, bytes);
    assert.match(response, /connection: close/i);
    assert.match(response, /\{"error":"invalid_request","message":"[^"]+"\}$/);
  }
  assert.equal((await service.call('GET', 'sites.php')).status, 200);
});

test('headers that are too large get a 431', async () => {
  const response = await rawRequest(service.url, `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`);
  assert.match(response, /^HTTP\/1\.1 431 /);
});
