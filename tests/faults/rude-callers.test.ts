// Uncooperative clients: connections that are refused but kept open by the client, and responses that are never read.

import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import { until } from '../support/until.ts';

/** Shorter than the minute after which the service closes every idle connection. */

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

function open(): Socket {
  const { hostname, port } = new URL(service.url);
  return connect({ host: hostname, port: Number(port), allowHalfOpen: true });
}

/** The service's socket of the next connection. Client and service run in this process. */
function nextAccepted(): Promise<Socket> {
  return new Promise((resolve) => {
    const channel = 'net.server.socket';
    subscribe(channel, function note(message) {
      unsubscribe(channel, note);
      resolve((message as { socket: Socket }).socket);
    });
  });
}

test('a refused connection is closed even if the client keeps its side open', async () => {
  const accepted = nextAccepted();
  const socket = open();
  socket.write('this is not HTTP\r\n\r\n');
  let refusal = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    refusal += text;
  });
  await once(socket, 'end');
  assert.match(refusal, /^HTTP\/1\.1 400 /);

  const end = await accepted;
  await until(() => end.closed, { otherwise: 'the service keeps its end open' });
  // The client's socket stays idle and open.
  assert.deepEqual([socket.writable, socket.closed], [true, false]);
  socket.destroy();
});

test('responses that are never read count as running requests, so that they cannot accumulate', async () => {
  const sockets = Array.from({ length: 10 }, () => {
    const socket = open();
    socket.pause();
    socket.on('error', () => {});
    socket.write('GET /api/openapi.php HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3_000));
    return socket;
  });
  let crowded = await service.call('GET', 'sites.php');
  await until(
    async () => {
      crowded = await service.call('GET', 'sites.php');
      return crowded.status !== 200;
    },
    { otherwise: 'the service takes on more and more' },
  );
  assert.deepEqual([crowded.status, crowded.json.error], [503, 'unavailable']);
  assert.equal((await service.call('GET', '/healthz', { key: null })).status, 200);

  for (const socket of sockets) socket.destroy();
  await until(async () => (await service.call('GET', 'sites.php')).status === 200, {
    otherwise: 'nobody is let in again',
  });
});
