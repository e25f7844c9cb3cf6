// Tests the requests at fixed times.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { Pool } from 'undici';
import { quantile, sendAtFixedTimes } from '../../bench/at-fixed-times.ts';

/** Responds to the first request only when three have arrived. */
async function startReluctantServer(t: TestContext) {
  const waiting: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    waiting.push(response);
    if (waiting.length >= 3) for (const each of waiting) each.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, arrived: () => waiting.length };
}

test('a request that waits does not delay the next one', async (t) => {
  const { url, arrived } = await startReluctantServer(t);
  const pool = new Pool(url, { connections: 8 });
  t.after(() => pool.close());
  const request = { path: '/', headers: {} };
  const tookMs = await sendAtFixedTimes({ pool, request, everyMs: 5, goesOn: () => arrived() < 3 });
  assert.ok(tookMs.length >= 3);
});

test('a quantile is one of the values', () => {
  const ascending = Array.from({ length: 101 }, (_, index) => index);
  assert.deepEqual(
    [0, 0.5, 0.99, 1].map((share) => quantile(ascending, share)),
    [0, 50, 99, 100],
  );
});
