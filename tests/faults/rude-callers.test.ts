// Callers who do not play along: connections that are refused and left open, answers that nobody reads.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

function open(): Socket {
  const { hostname, port } = new URL(service.url);
  return connect({ host: hostname, port: Number(port), allowHalfOpen: true });
}

test('a refused connection is closed even if the caller keeps its side open', async () => {
  const socket = open();
  socket.write('this is not HTTP\r\n\r\n');
  let refusal = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    refusal += text;
  });
  await once(socket, 'end');
  assert.match(refusal, /^HTTP\/1\.1 400 /);

  // Writing to a socket whose other side is gone brings a reset; to one half closed it would not.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  while (!socket.destroyed) {
    socket.write('x');
    await sleep(10);
  }
  await closed;
});

test('answers nobody reads count as requests under way, so that they cannot pile up', async () => {
  const before = process.memoryUsage().rss;
  const sockets = Array.from({ length: 10 }, () => {
    const socket = open();
    socket.pause();
    socket.on('error', () => {});
    socket.write('GET /api/openapi.php HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3_000));
    return socket;
  });
  await sleep(1_500);
  const grownMb = (process.memoryUsage().rss - before) / 2 ** 20;
  for (const socket of sockets) socket.destroy();
  assert.ok(grownMb < 400, `30,000 unread answers took ${Math.round(grownMb)} MB`);
  const health = await service.call('GET', '/healthz', { key: null });
  assert.equal(health.status, 200);
});
