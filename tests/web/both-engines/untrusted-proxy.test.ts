// Tests the report of a proxy that TRUSTED_PROXIES does not name: in the log, on the overview and on the health page,
// until it is trusted.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeFolder } from '../../support/run-gastpass.ts';
import { requestFrom } from '../../support/slow-requests.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { addUser, loggedIn } from '../web-client.ts';

const HEADERS = { 'x-forwarded-for': '203.0.113.9' };
const STORED = "select value from settings where name = 'untrusted_proxies'";

const { folder: dataDir, remove } = makeFolder();
let service: TestService;
before(async () => {
  service = await startTestService({ dataDir });
  await addUser(service, 'admin@example.org', 'admin');
});
after(async () => {
  await service.stop();
  remove();
});

const seen = () => JSON.parse(String(service.rows(STORED)[0]?.value ?? '[]'));
const page = async (path: string) => (await (await loggedIn(service, 'admin@example.org')).get(path)).text;
const overview = () => page('/overview');

test('the log, the overview and the health page name each proxy that is not trusted, and what to set', async () => {
  assert.doesNotMatch(await overview(), /X-Forwarded-For/);
  // The first client must not use up the report: anyone can send the header.
  for (const from of ['127.0.0.7', '127.0.0.1', '127.0.0.1'])
    await requestFrom(`${service.url}/login`, { from, headers: HEADERS });
  await until(() => seen().length === 2);
  const warned = service.logLines.filter(({ msg }) => /X-Forwarded-For is ignored/.test(String(msg)));
  assert.deepEqual(
    warned.map(({ ip }) => ip),
    ['127.0.0.7', '127.0.0.1'],
  );
  const text = await overview();
  for (const ip of ['127.0.0.1', '127.0.0.7']) {
    assert.match(text, new RegExp(`${ip} sendet X-Forwarded-For.*href="/health"`, 's'));
    assert.match(await page('/health'), new RegExp(`<code>TRUSTED_PROXIES=${ip} npm start</code>`));
  }
});

test('a proxy that is trusted after a restart is forgotten, others are not', async () => {
  await service.stop();
  service = await startTestService({ dataDir, environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  assert.deepEqual(
    seen().map(({ ip }: { ip: string }) => ip),
    ['127.0.0.7'],
  );
  await requestFrom(`${service.url}/login`, { headers: HEADERS });
  const text = await overview();
  assert.match(await page('/health'), /<code>TRUSTED_PROXIES=127\.0\.0\.1,127\.0\.0\.7 npm start</);
  assert.doesNotMatch(text, /127\.0\.0\.1 sendet/);
});
