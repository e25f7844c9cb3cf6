// Tests how administrators learn that the device of a screen is silent: on the overview, in System health and by a
// metric.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../src/kernel/ids.ts';
import { TESTER } from '../support/actors.ts';
import { addScreenTo, pairDevice } from '../support/added-screen.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

let service: TestService;
let admin: WebClient;
let siteId: ReturnType<typeof asSiteId>;
before(async () => {
  service = await startTestService();
  siteId = asSiteId(await service.addSite('default', 'Haus A'));
  await addUser(service, 'anna@example.org', 'admin');
  admin = await loggedIn(service, 'anna@example.org');
});
after(() => service.stop());

async function said() {
  const overview = await admin.get('/overview');
  const metrics = await service.call('GET', '/metrics');
  const [, silent] = /^gastpass_screens\{state="silent"\} (\d+)$/m.exec(metrics.text) ?? [];
  return {
    overview: overview.text.includes('Bildschirm Lobby: keine Verbindung mehr'),
    silent,
  };
}

test('a paired device that sends nothing for 15 minutes is a problem until it is back', async () => {
  const { pairingCode } = await addScreenTo(service.beside, { siteId, name: 'Lobby' });
  service.clock.advance(5 * 60_000);
  assert.deepEqual(await said(), { overview: false, silent: '0' }, 'not paired yet');
  const cookie = await pairDevice(service.url, pairingCode);
  service.clock.advance(16 * 60_000);
  assert.deepEqual(await said(), { overview: true, silent: '1' });
  assert.match(
    (await admin.get('/health')).text,
    /Bildschirm Lobby \(Haus A\).*Das Gerät hat sich zuletzt am .* gemeldet/s,
  );

  const change = (active: boolean) =>
    service.beside.sites.change(siteId, { active }, { actor: TESTER, atMs: service.clock.nowMs() });
  await change(false);
  assert.deepEqual(await said(), { overview: false, silent: '0' }, 'the site is not active');
  assert.doesNotMatch((await admin.get('/health')).text, /Bildschirm Lobby \(Haus A\)/);
  await change(true);

  await fetch(`${service.url}/screen`, { headers: { cookie } });
  assert.deepEqual(await said(), { overview: false, silent: '0' });
});
