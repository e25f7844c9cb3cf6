// Tests pipelined requests whose client disconnects before the responses are ready: they no longer count as concurrent.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { problemResponse } from '../../../src/kernel/contract/problem-response.ts';
import { jsonResponse } from '../../../src/platform/http/handler.ts';
import { drain, listen } from '../../../src/platform/http/listen.ts';
import { makeServer } from '../../../src/platform/http/server.ts';
import { makeLog } from '../../../src/platform/log/make-log.ts';
import { until } from '../../support/until.ts';

const PIPELINED = 100;
const MAX_CONCURRENT_REQUESTS = 5_000;

test('requests of clients that have left free their places', async () => {
  const ready = Promise.withResolvers<void>();
  let waiting = 0;
  const server = makeServer({
    presentProblem: problemResponse,
    servePage: async () => {},
    handlers: {
      '/slow': async () => {
        waiting++;
        await ready.promise;
        return jsonResponse(200, {});
      },
      // Long enough for all requests to be in progress together.
      '/later': () => sleep(500).then(() => jsonResponse(200, {})),
    },
    log: makeLog('silent'),
    trustedProxies: [],
    observeRequest: () => {},
    isDraining: () => false,
    isRefusing: () => false,
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  const { hostname, port } = new URL(url);
  while (waiting < MAX_CONCURRENT_REQUESTS) {
    const expected = waiting + PIPELINED;
    const socket = connect(Number(port), hostname);
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(PIPELINED));
    await until(() => waiting >= expected, { everyMs: 1 });
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  await until(async () => (await promisify(server.getConnections.bind(server))()) === 0);
  ready.resolve();
  await sleep(0);
  const statuses = Array.from({ length: 2 * PIPELINED }, async () => (await fetch(`${url}/later`)).status);
  assert.deepEqual(new Set(await Promise.all(statuses)), new Set([200]));
  await drain(server);
});
