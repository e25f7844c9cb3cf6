// Tests the ends of calls to a controller: closed and broken connections while a list is being read.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { dispatchCall, type OnText } from './dispatch-call.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Calls a server that responds to its only request as `respond` does. */
async function callServer(respond: (socket: Socket) => void, onText: OnText) {
  const server = createServer((socket) => socket.on('error', () => {}).once('data', () => respond(socket)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const options = { signal: new AbortController().signal, timeoutMs: 20_000, onText };
  try {
    return await dispatchCall(async () => pool, { method: 'GET', path: '/' }, options);
  } finally {
    await pool.destroy();
    server.close();
  }
}

test('a complete list counts although the connection is closed while it is being read', async () => {
  const list = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id })));
  let text = '';
  const response = await callServer(
    (socket) => socket.end(`${HEAD}content-length: ${list.length}\r\n\r\n${list}`),
    async (part) => {
      await sleep(5);
      text += part;
    },
  );
  assert.equal(response.status, 200);
  assert.equal(text, list);
});

test('a call whose connection breaks ends after its reader', async () => {
  let isReading = false;
  const called = callServer(
    (socket) => socket.write(`${HEAD}content-length: 100\r\n\r\nhalf`, () => socket.resetAndDestroy()),
    async () => {
      isReading = true;
      await sleep(20);
      isReading = false;
    },
  );
  await assert.rejects(called);
  assert.equal(isReading, false);
});
