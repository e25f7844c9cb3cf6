// What is not one of our paths, and what is not even HTTP.

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

test('an unknown path is answered 404 not_found, whatever the method and with or without a key', async () => {
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
    '/api/v1/sites.php',
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

test('paths with dots, without a slash or with strange bytes are unknown, not an error', async () => {
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
    const answer = await rawRequest(
      service.url,
      `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 404 /, target);
    assert.ok(answer.endsWith(NOT_FOUND), target);
  }
});

test('what is not HTTP is answered 400 and the connection closed; the service goes on', async () => {
  for (const bytes of [
    '\r\n\r\nhello\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n',
  ]) {
    const answer = await rawRequest(service.url, bytes);
    assert.match(answer, /^HTTP\/1\.1 400 /, bytes);
    assert.match(answer, /connection: close/i);
    assert.match(answer, /\{"error":"invalid_request","message":"[^"]+"\}$/);
  }
  assert.equal((await service.call('GET', 'sites.php')).status, 200);
});

test('headers without end are answered 431', async () => {
  const answer = await rawRequest(service.url, `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`);
  assert.match(answer, /^HTTP\/1\.1 431 /);
});
