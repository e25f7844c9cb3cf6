// Tests what `gastpass doctor` says about how users and programs reach the service: the public address, proxies and API
// keys.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { openInstallation } from '../../../src/app/installation.ts';
import type { Installation } from '../../../src/kernel/installation.ts';
import { lockForService } from '../../../src/platform/database/service-lock.ts';
import { TESTER } from '../../support/actors.ts';
import { engine } from '../../support/engine.ts';
import { HARMLESS, HOSTILE, harmlessLines } from '../../support/hostile-text.ts';
import { makeFolder, runGastpass } from '../../support/run-gastpass.ts';
import { configOf } from '../../support/test-service.ts';

let dataDir: string;
let remove: () => void;
let installation: Installation;
let unlock: () => void;
beforeEach(async () => {
  ({ folder: dataDir, remove } = makeFolder());
  installation = await openInstallation(await configOf(dataDir));
  unlock = engine === 'sqlite' ? lockForService(dataDir) : () => {};
});
afterEach(async () => {
  await installation.close();
  unlock();
  remove();
});

/** The lines about this. The port of the service is unknown, so its lock tells that it runs. */
async function lines(
  about: string,
  environment: Record<string, string> = {},
  expectedCode = 0,
): Promise<string[]> {
  const { code, stdout } = await runGastpass(['doctor'], {
    dataDir,
    environment: { PORT: '0', ...environment },
  });
  assert.equal(code, expectedCode, stdout);
  return harmlessLines(stdout).filter((line) => line.slice(9).startsWith(about));
}

test('an https address in PUBLIC_URL without a trusted proxy causes a warning that says what to set', async () => {
  const PUBLIC_URL = 'https://localhost';
  assert.deepEqual(await lines('Public address', { PUBLIC_URL }), [
    `warning  Public address: PUBLIC_URL is ${PUBLIC_URL}, but requests reach the service unencrypted, so cookies are not limited to HTTPS. Set TRUSTED_PROXIES to the address of the proxy and restart the service.`,
  ]);
  const good = [`ok       Public address: ${PUBLIC_URL}, from PUBLIC_URL`];
  assert.deepEqual(await lines('Public address', { PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' }), good);
});

test('a public address at which nothing answers causes a warning while the service runs', async () => {
  const PUBLIC_URL = 'http://0.0.0.0:1';
  const [good, warning, ...more] = await lines('Public address', { PUBLIC_URL });
  assert.equal(good, `ok       Public address: ${PUBLIC_URL}, from PUBLIC_URL`);
  assert.match(
    warning ?? '',
    /^warning {2}Public address: http:\/\/0\.0\.0\.0:1 does not answer this server \(ECONNREFUSED\)\. Check .* hairpin NAT, .* nothing to do\.$/,
  );
  assert.deepEqual(more, []);
  unlock();
  unlock = () => {};
  if (engine === 'sqlite') assert.deepEqual(await lines('Public address', { PUBLIC_URL }, 1), [good]);
});

test('a proxy that is not trusted causes a warning with the setting to change, until it is trusted', async () => {
  await installation.untrustedProxies.note({ ip: '10.0.0.5', seenAtMs: Date.now() });
  assert.deepEqual(await lines('Proxy', { TRUSTED_PROXIES: '::1' }), [
    'warning  Proxy 10.0.0.5: Sends X-Forwarded-For but is not trusted: all users behind it count as one. If it is not your proxy, there is nothing to do. If it is, set this and restart the service: TRUSTED_PROXIES=::1,10.0.0.5',
  ]);
  assert.deepEqual(await lines('Proxy', { TRUSTED_PROXIES: '::1,10.0.0.0/8' }), []);
});

test('API keys that end soon cause one warning, with harmless names and a command', async () => {
  const dayMs = 24 * 60 * 60_000;
  const expiresAtMs = Date.now() + 13 * dayMs;
  const key = { scope: 'write', rateLimit: 0, expiresAtMs } as const;
  const issue = (name: string, ageDays: number) =>
    installation.issueKey({ ...key, name }, { actor: TESTER, atMs: Date.now() - ageDays * dayMs });
  for (const name of [HOSTILE, 'Kasse']) await issue(name, 20);
  await issue('of a fair', 10);
  const [line, ...others] = await lines('API keys');
  assert.deepEqual(others, []);
  assert.match(
    line?.replace(HARMLESS, 'HARMLESS') ?? '',
    /^warning {2}API keys: (HARMLESS and Kasse|Kasse and HARMLESS) expire soon, the first one on .* UTC\. .* To extend one, with its ID from gastpass keys list: gastpass keys set ID --expires DATE$/,
  );
});
