// If the counter of the rate limit fails, requests are refused with 503 instead of passing uncounted.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { problemResponse } from '../../../src/kernel/contract/problem-response.ts';
import { makeWithApiKey } from '../../../src/kernel/contract/with-api-key.ts';
import { asKeyId } from '../../../src/kernel/ids.ts';
import { jsonResponse } from '../../../src/platform/http/handler.ts';
import { listen } from '../../../src/platform/http/listen.ts';
import { makeServer } from '../../../src/platform/http/server.ts';
import { makeLog } from '../../../src/platform/log/make-log.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { ok } from '../../../src/platform/values/result.ts';

let ran = 0;
let rateLimit = 10;
const withApiKey = makeWithApiKey({
  verifyKey: async () =>
    ok({ id: asKeyId('id'), name: 'x', scope: 'write', rateLimit, sites: 'all', expiresAtMs: null }),
  rateCounter: {
    async count() {
      throw new Error('the counter is away');
    },
  },
  lastUsed: { note() {} },
  observeKeyRefusal() {},
  presentProblem: problemResponse,
  changeStamp: () => undefined,
  clock: systemClock,
});
const server = makeServer({
  presentProblem: problemResponse,
  servePage: async () => {},
  log: makeLog('silent', { write: () => {} }),
  trustedProxies: [],
  observeRequest: () => {},
  isDraining: () => false,
  isRefusing: () => false,
  handlers: {
    '/counted.php': withApiKey({
      GET: {
        scope: 'read',
        async run() {
          ran++;
          return jsonResponse(200, {});
        },
      },
    }),
  },
});

let url = '';
before(async () => {
  url = await listen(server, { host: '127.0.0.1', port: 0 });
});
after(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

const ask = () => fetch(`${url}/counted.php`, { headers: { 'x-api-key': 'any' } });

test('a request gets a 503 with Retry-After if the counter fails, and the handler does not run', async () => {
  const reply = await ask();
  assert.equal(reply.status, 503);
  assert.deepEqual(await reply.json(), {
    error: 'database_unavailable',
    message: 'Datenbank nicht verfügbar. Bitte später erneut versuchen.',
  });
  assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.equal(ran, 0);
});

test('a key without a limit does not need the counter', async () => {
  rateLimit = 0;
  const reply = await ask();
  assert.equal(reply.status, 200);
  await reply.body?.cancel();
  assert.equal(ran, 1);
});
