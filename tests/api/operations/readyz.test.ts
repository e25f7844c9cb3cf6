// GET /readyz: tells whether the service can process requests. The status is 200 if the database accepts writes, and
// 503 if it does not or if the service is shutting down.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { problemResponse } from '../../../src/kernel/contract/problem-response.ts';
import { makeOperations } from '../../../src/kernel/health/operations-handler.ts';
import { jsonResponse } from '../../../src/platform/http/handler.ts';
import { listen } from '../../../src/platform/http/listen.ts';
import { makeServer } from '../../../src/platform/http/server.ts';
import { makeLog } from '../../../src/platform/log/make-log.ts';
import { makeFindReadinessFailures } from '../../../src/platform/metrics/readiness.ts';
import { refusingInserts } from '../../support/disturb-records.ts';
import { startTestService } from '../../support/test-service.ts';

/** How long the service reuses the result of its last check. */
const TRUSTED_MS = 1_000;
const working = {
  probeWrite: async () => {},
  tryWrite: async () => {},
  recentStorageError: () => undefined,
  reasonOf: () => undefined,
};

test('a service whose database accepts a test write is ready', async (t) => {
  const service = await startTestService();
  t.after(() => service.stop());
  const reply = await service.call('GET', '/readyz', { key: null });
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.json, { status: 'ready', obstacles: [] });
  const [probe] = service.rows(`select value from settings where name = 'last_probe'`);
  assert.equal(Number(probe?.value), service.clock.nowMs());
});

test('a service whose database refuses writes is not ready until a write succeeds again', async (t) => {
  const service = await startTestService();
  t.after(() => service.stop());
  const broken = await refusingInserts(service, { table: 'settings', text: 'no writing today' }, () =>
    service.call('GET', '/readyz', { key: null }),
  );
  assert.equal(broken.status, 503);
  assert.deepEqual(broken.json, { status: 'not ready', obstacles: ['database cannot be written'] });

  await sleep(TRUSTED_MS + 50);
  assert.equal((await service.call('GET', '/readyz', { key: null })).status, 200);
});

test('concurrent probes cause only one write', async () => {
  let writes = 0;
  const findReadinessFailures = makeFindReadinessFailures({
    isSetupDone: () => true,
    isDraining: () => false,
    ...working,
    probeWrite: async () => void writes++,
  });
  const responses = await Promise.all(Array.from({ length: 50 }, () => findReadinessFailures()));
  assert.deepEqual(new Set(responses.map((obstacles) => obstacles.length)), new Set([0]));
  assert.equal(writes, 1);
});

test('a service that is shutting down is healthy but not ready, and refuses other requests with 503', async (t) => {
  const isDraining = () => true;
  const server = makeServer({
    presentProblem: problemResponse,
    servePage: async () => {},
    log: makeLog('silent', { write: () => {} }),
    trustedProxies: [],
    observeRequest: () => {},
    isDraining,
    isRefusing: () => true,
    handlers: {
      '/api/sites.php': async () => jsonResponse(200, {}),
      ...makeOperations({
        version: '0.0.0',
        metricsToken: undefined,
        findReadinessFailures: makeFindReadinessFailures({
          isSetupDone: () => true,
          isDraining,
          ...working,
        }),
        renderMetrics: async () => ({ contentType: 'text/plain', text: '' }),
      }),
    },
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  t.after(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  const ready = await fetch(`${url}/readyz`);
  assert.equal(ready.status, 503);
  assert.deepEqual(await ready.json(), { status: 'not ready', obstacles: ['shutting down'] });
  const healthy = await fetch(`${url}/healthz`);
  assert.equal(healthy.status, 200);
  await healthy.body?.cancel();

  const refused = await fetch(`${url}/api/sites.php`);
  assert.equal(refused.status, 503);
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.equal(refused.headers.get('connection'), 'close');
  assert.deepEqual(await refused.json(), {
    error: 'unavailable',
    message: 'Dienst gerade nicht verfügbar. Bitte später erneut versuchen.',
  });
});
