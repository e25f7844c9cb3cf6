// Tests what happens to the devices of a revoked voucher: the question says how many were let in, the classic UniFi API
// disconnects them on request, and a failure is reported without undoing the revocation.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { makeSyncUseCases } from '../../../src/kernel/vouchers/sync-use-cases.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

const MAC = /([\da-f]{2}:){5}[\da-f]{2}/i;

let service: TestService;
let webClient: WebClient;
let console: SimulatedConsole;
let siteId: number;
before(async () => {
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  webClient = await loggedIn(service, 'anna@example.org');
  console = await startSimulatedConsole({ flavour: 'unifi-classic', clock: service.clock.nowMs });
  const { url, username, password, fingerprint256 } = console;
  const connection = {
    url,
    credentials: { username, password },
    trust: { kind: 'pinned' as const, fingerprint256: fingerprint256.replaceAll(':', '') },
  };
  siteId = await service.beside.sites.add(
    { name: 'Haus A', active: true, controllerKind: 'unifi-classic', controllerSite: 'default', connection },
    { actor: TESTER, atMs: service.clock.nowMs() },
  );
  // A further voucher: a console that lists none at all could have been replaced.
  console.controls.fill({ note: 'Bleibt' });
});
after(async () => {
  await service.stop();
  await console.stop();
});
afterEach(() => console.controls.resetFaults());

/** A voucher that guests use with two devices. */
async function makeUsed(): Promise<string> {
  await webClient.post('/vouchers', { site: String(siteId), name: 'Zimmer 12', uses: '2' });
  const [row] = service.rows('select id, code from vouchers order by id desc limit 1');
  assert.ok(console.controls.redeem({ code: String(row?.code), devices: 2 }).ok);
  const site = await service.beside.sites.find(asSiteId(siteId));
  assert.ok(site);
  const { syncSite } = makeSyncUseCases(service.beside);
  assert.ok((await syncSite(site, new AbortController().signal))?.ok);
  return `/vouchers/${row?.id}`;
}
const disconnections = () => console.controls.counters().requests['guest-command'] ?? 0;
const audited = () => {
  const [entry] = service.rows('select action, subject from audit order by id desc limit 1');
  return `${entry?.action} ${entry?.subject}`;
};

test('the question says how many devices were let in, and offers to disconnect them', async () => {
  const path = await makeUsed();
  const { text } = await webClient.get(`${path}/revoke`);
  assert.match(text, /Mit diesem Voucher wurden 2 Geräte angemeldet\./);
  assert.match(
    text,
    /type="checkbox" name="disconnect" value="1" aria-describedby="disconnect-hint" checked>/,
  );
  const english = await webClient.get(`${path}/revoke`, { 'accept-language': 'en' });
  assert.match(english.text, /2 devices signed in with this voucher\..*Disconnect these devices/s);
  const bulk = await webClient.get('/vouchers/revoke?state=in-use&all=1');
  assert.match(bulk.text, /wurden 2 Geräte angemeldet\. Angemeldete Geräte bleiben vielleicht online/);
  service.change('update vouchers set used_count = 0');
  const uncounted = await webClient.get('/vouchers/revoke?state=in-use&all=1');
  assert.match(
    uncounted.text,
    /wurde ein Gerät angemeldet\. Angemeldete Geräte/,
    'it was used at least once',
  );
});

test('devices are disconnected only on request, and the audit log says how many', async () => {
  const kept = await makeUsed();
  const before = disconnections();
  assert.equal((await webClient.post(`${kept}/revoke`, {})).location, kept);
  assert.equal(disconnections(), before);
  assert.match(audited(), /^voucher\.revoked /);

  const path = await makeUsed();
  const { location } = await webClient.post(`${path}/revoke`, { disconnect: '1' });
  assert.equal(location, path);
  assert.match((await webClient.get(path)).text, /Der Voucher ist widerrufen\. Seine Geräte sind getrennt\./);
  assert.equal(disconnections(), before + 2);
  assert.match(audited(), /^voucher\.disconnected voucher \d+ of site \d+ \(Haus A\): devices: 2$/);
  const { text } = await webClient.get('/audit');
  assert.match(
    text.replace(/<[^>]*>/g, ''),
    /hat 2 Geräte getrennt, die mit Voucher \S+ \(Haus A\) online waren/,
  );
});

test('a failure is reported, the voucher stays revoked, and the devices can be disconnected again', async () => {
  const path = await makeUsed();
  console.controls.setFault({ match: 'guest-command', kind: 'status', status: 400, times: 'always' });
  const { status, text } = await webClient.post(`${path}/revoke`, { disconnect: '1' });
  assert.equal(status, 502);
  assert.match(text, /Der Voucher ist widerrufen, aber die Geräte ließen sich nicht trennen\./);
  assert.match(text, new RegExp(`action="${path}/revoke".*name="disconnect" value="1"`, 's'));
  assert.match((await webClient.get(path)).text, /class="pill revoked"/);
  assert.match(audited(), /^voucher\.revoked /);

  console.controls.resetFaults();
  assert.equal((await webClient.post(`${path}/revoke`, { disconnect: '1' })).location, path);
  assert.match(audited(), /^voucher\.disconnected .*devices: 2$/);
});

test('a console that cannot disconnect says that devices may stay online', async () => {
  await webClient.post('/vouchers', { site: '1', name: 'Zimmer 3' });
  const [row] = service.rows('select id from vouchers order by id desc limit 1');
  const nowS = Math.floor(service.clock.nowMs() / 1_000);
  service.change(
    'update vouchers set used_count = 1, first_used_at_s = ? where id = ?',
    nowS,
    Number(row?.id),
  );
  const { text } = await webClient.get(`/vouchers/${row?.id}/revoke`);
  assert.match(text, /wurde ein Gerät angemeldet\. Angemeldete Geräte bleiben vielleicht online/);
  assert.doesNotMatch(text, /name="disconnect"/);
  await webClient.post(`/vouchers/${row?.id}/revoke`, { disconnect: '1' });
  assert.match((await webClient.get(`/vouchers/${row?.id}`)).text, /Der Voucher ist widerrufen\.</);
});

test('MAC addresses are neither logged nor stored', () => {
  assert.ok(service.logLines.some(({ msg }) => msg === 'devices perhaps not disconnected'));
  assert.doesNotMatch(JSON.stringify(service.logLines), MAC);
  for (const table of ['audit', 'vouchers', 'site_syncs'])
    assert.doesNotMatch(JSON.stringify(service.rows(`select * from ${table}`)), MAC, table);
});
