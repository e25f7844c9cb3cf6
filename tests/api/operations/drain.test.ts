// Shutdown: running requests are finished and get a response; new connections are refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';

async function isLetIn(url: string): Promise<boolean> {
  try {
    await (await fetch(`${url}/healthz`, { headers: { connection: 'close' } })).text();
    return true;
  } catch {
    return false;
  }
}

test('a running request is finished before the service stops, and new connections are refused', async () => {
  const service = await startTestService();
  const siteId = await service.addSite('fail:time-out');
  let responded = false;
  const slow = service
    .call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'langsam' } })
    .finally(() => {
      responded = true;
    });
  await until(() => service.rows('select id from intents').length > 0);

  let stopped = false;
  const stopping = service.stop().finally(() => {
    stopped = true;
  });
  await until(async () => !(await isLetIn(service.url)));
  assert.ok(!responded && !stopped, 'the slow request is not running any more');

  const reply = await slow;
  assert.equal(reply.status, 500);
  assert.equal(reply.json.message, 'the simulated controller did not answer in time');
  assert.equal(reply.headers.get('connection'), 'close');
  await stopping;
});

test('an idle service stops immediately, even if clients keep connections open', async () => {
  const service = await startTestService();
  await Promise.all(Array.from({ length: 10 }, () => service.call('GET', 'sites.php')));
  await service.stop();
  await assert.rejects(fetch(`${service.url}/healthz`));
});
