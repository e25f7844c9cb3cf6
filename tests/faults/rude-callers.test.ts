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

function countSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
}

test('a refused connection is closed even if the caller keeps its side open', async () => {
  const before = countSockets();
  const socket = open();
  socket.write('this is not HTTP\r\n\r\n');
  let refusal = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    refusal += text;
  });
  await once(socket, 'end');
  assert.match(refusal, /^HTTP\/1\.1 400 /);

  // Of the two ends, both in this process, only the caller's is left; it stays silent and open.
  await sleep(300);
  assert.equal(countSockets(), before + 1);
  socket.destroy();
});

test('answers nobody reads count as requests under way, so that they cannot pile up', async () => {
  const sockets = Array.from({ length: 10 }, () => {
    const socket = open();
    socket.pause();
    socket.on('error', () => {});
    socket.write('GET /api/openapi.php HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3_000));
    return socket;
  });
  await sleep(1_000);
  const crowded = await service.call('GET', 'sites.php');
  assert.deepEqual([crowded.status, crowded.json.error], [503, 'unavailable']);
  assert.equal((await service.call('GET', '/healthz', { key: null })).status, 200);

  for (const socket of sockets) socket.destroy();
  while ((await service.call('GET', 'sites.php')).status !== 200) await sleep(20);
});
