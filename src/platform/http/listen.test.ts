// Tests how the port is closed: no request is lost that a proxy has already sent.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { drain, listen } from './listen.ts';

const WAITING_CALLERS = 3;
const PATIENCE_MS = 30_000;

/** Connects and sends a request while the thread of the server is blocked; posts the status, or the error. */
const CALLER = `
const { connect } = require('node:net');
const { parentPort, workerData: { port, arrived } } = require('node:worker_threads');
const socket = connect(port, '127.0.0.1', () => {
  socket.write('POST / HTTP/1.1\\r\\nhost: localhost\\r\\ncontent-length: 0\\r\\nconnection: close\\r\\n\\r\\n', () => {
    Atomics.add(arrived, 0, 1);
    Atomics.notify(arrived, 0);
  });
});
socket.once('data', (data) => parentPort.postMessage(String(data).split('\\r\\n')[0]));
socket.once('error', (error) => parentPort.postMessage(error.code));
`;

const portOf = (server: Server) => (server.address() as AddressInfo).port;

test('a connection that waits to be accepted when the port closes is served', async (t) => {
  const server = createServer((_, response) => response.end('done'));
  await listen(server, { host: '127.0.0.1', port: 0 });
  const arrived = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { port: portOf(server), arrived };
  const callers = Array.from(
    { length: WAITING_CALLERS },
    () => new Worker(CALLER, { eval: true, workerData }),
  );
  t.after(() => Promise.all(callers.map((caller) => caller.terminate())));
  const responses = callers.map((caller) => once(caller, 'message'));
  for (let count = 0; count < WAITING_CALLERS; count = Atomics.load(arrived, 0))
    assert.notEqual(Atomics.wait(arrived, 0, count, PATIENCE_MS), 'timed-out');
  await drain(server);
  assert.deepEqual(new Set((await Promise.all(responses)).flat()), new Set(['HTTP/1.1 200 OK']));
});

test('an idle connection serves a request after the port is closed, and is then closed in time', async () => {
  const server = createServer((_, response) => response.end('done'));
  await listen(server, { host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const port = portOf(server);
  const ask = async () => {
    const [response] = await once(request({ port, host: '127.0.0.1', agent }).end(), 'response');
    return text(response);
  };
  await ask();
  let isIdleClosed = false;
  const portClosed = Promise.withResolvers<void>();
  const draining = drain(server, {
    onPortClosed: portClosed.resolve,
    idleMs: 300,
    onIdleClosed: () => {
      isIdleClosed = true;
    },
  });
  await portClosed.promise;
  assert.equal(server.listening, false);
  assert.equal(await ask(), 'done');
  await draining;
  assert.equal(isIdleClosed, true);
  agent.destroy();
});
