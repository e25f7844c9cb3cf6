// Tests the pages of existing sites: the list with its errors, changing, testing, syncing, deactivating, and changing
// the controller. Credentials are never shown, and sent only to their own URL.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { type SimulatedConsole, startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { asSiteId, asUserId } from '../../src/kernel/ids.ts';
import { samplePrinter } from '../storage/samples.ts';
import { TESTER } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { until } from '../support/until.ts';
import { hiddenOf, loginTo } from './site-form.ts';
import { addUser, loggedIn, PASSWORD, type WebClient } from './web-client.ts';

let service: TestService;
let webClient: WebClient;
let console: SimulatedConsole;
let elsewhere: SimulatedConsole;
let siteId: number;
before(async () => {
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  webClient = await loggedIn(service, 'anna@example.org');
  console = await startSimulatedConsole({ port: 0 });
  elsewhere = await startSimulatedConsole({ port: 0 });
  siteId = await addUnifi('Haus am See', console);
});
after(async () => {
  await service.stop();
  await Promise.all([console.stop(), elsewhere.stop()]);
});

function addUnifi(
  name: string,
  { url, apiKey, fingerprint256 }: SimulatedConsole,
  controllerSite = 'default',
): Promise<number> {
  const trust = { kind: 'pinned' as const, fingerprint256: pin(fingerprint256) };
  const connection = { url, credentials: { apiKey }, trust };
  return service.beside.sites.add(
    { name, active: true, controllerKind: 'unifi', controllerSite, connection },
    { actor: TESTER, atMs: service.clock.nowMs() },
  );
}
const pin = (fingerprint256: string) => fingerprint256.replaceAll(':', '');
const path = (below = '') => `/sites/${siteId}${below}`;
const row = (id = siteId) => ({ ...service.rows(`select * from sites where id = ${id}`)[0] });
const basics = (fields: Record<string, string> = {}) => ({
  name: 'Haus am See',
  import: 'on',
  ...fields,
});
/** Opens the confirmation page and sends its form. Returns the path of the next page. */
async function confirmRemoval(id: number): Promise<string | null> {
  const { text } = await webClient.get(`/sites/${id}/remove`);
  return (await webClient.post(`/sites/${id}/remove`, hiddenOf(text))).location;
}
const lastAudit = () => ({ ...service.rows('select * from audit order by id desc limit 1')[0] });

test('the list shows the controller, URL and state of each site, and a button to sync it', async () => {
  const { status, text } = await webClient.get('/sites');
  assert.equal(status, 200);
  for (const said of [
    'Demo',
    'Demo – ohne WLAN',
    'Simulator',
    'Haus am See',
    'UniFi, default',
    console.url,
    'aktiv',
    'noch nie',
  ])
    assert.ok(text.includes(said), said);
  assert.ok(text.includes(`action="${path('/sync')}"`));
  assert.match((await webClient.get('/account')).text, /href="\/sites"/);
  const { text: docs } = await webClient.get('/api-docs/examples');
  assert.ok(docs.includes(`/v1/vouchers?site=${siteId}`), 'the examples use a site that is no demo');
});

test('neither the list nor the page of a site shows a credential', async () => {
  for (const place of ['/sites', path(), path('/access')]) {
    const { text } = await webClient.get(place);
    assert.ok(!text.includes(console.apiKey), place);
  }
  assert.ok((await webClient.get(path())).text.replaceAll('<wbr>', '').includes(console.fingerprint256));
});

test('a successful test leaves no voucher behind, and a failed test says how to fix the problem', async () => {
  const good = await webClient.post(path('/test'), {});
  assert.match(good.text, /note good[^>]*>.*Testvoucher wurde erstellt und wieder gelöscht/s);
  assert.deepEqual(console.controls.vouchers(), []);
  const lost = await addUnifi('Verloren', console, 'weg');
  const bad = await webClient.post(`/sites/${lost}/test`, {});
  assert.match(bad.text, /Die Prüfung ist fehlgeschlagen.*Die Site gibt es dort nicht.*it has: default/s);
});

test('replies to the mails of a site go to an address of its own', async () => {
  const change = (replyTo: string) => webClient.post(path(), basics({ 'reply-to': replyTo }));
  const wrong = await change('Rezeption <r@example.org>');
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /id="reply-to-error"/);
  assert.match(wrong.text, /value="Rezeption &lt;r@example.org&gt;"/);
  assert.equal(row().reply_to, null);
  assert.equal((await change(' reception@example.org ')).location, path());
  assert.equal(row().reply_to, 'reception@example.org');
  assert.match(String(lastAudit().subject), /replyTo/);
  assert.match((await webClient.get(path())).text, /name="reply-to"[^>]* value="reception@example\.org"/);
  await webClient.post(path(), basics());
  assert.equal(row().reply_to, 'reception@example.org', 'a form without the field changes nothing');
  await change('');
  assert.equal(row().reply_to, null);
});

test('name and import can be changed directly, but not the controller site', async () => {
  const renamed = await webClient.post(path(), basics({ name: ' Haus B ', import: 'off' }));
  assert.equal(renamed.location, path());
  assert.partialDeepStrictEqual(row(), { name: 'Haus B', imports_foreign: 0, active: 1 });
  const audited = { actor: 'Web: anna', action: 'site.changed' };
  assert.partialDeepStrictEqual(lastAudit(), {
    ...audited,
    subject: `site ${siteId} (Haus B): name, importsForeign`,
  });
  assert.doesNotMatch((await webClient.get(path())).text, /name="site"/);
  await webClient.post(path(), basics({ site: 'gibtsnicht' }));
  assert.partialDeepStrictEqual(row(), { name: 'Haus am See', controller_site: 'default', active: 1 });
});

test('another controller site is chosen from the list of the controller, and tested', async () => {
  const choice = await loginTo(webClient, console, {}, { path: path('/access') });
  assert.match(choice.text, /<option value="default" selected>/);
  const held = hiddenOf(choice.text);
  const { location } = await webClient.post(path('/access/store'), { ...held, site: 'k3w9x2pb' });
  assert.equal(location, path());
  assert.partialDeepStrictEqual(row(), { controller_site: 'k3w9x2pb', active: 1 });
  const forged = await webClient.post(path('/access/store'), { ...held, site: 'gibtsnicht' });
  assert.match(forged.text, /Die Site gibt es dort nicht/);
  await webClient.post(path('/access/store'), { ...held, site: 'gibtsnicht', anyway: 'yes' });
  assert.partialDeepStrictEqual(row(), { controller_site: 'gibtsnicht', active: 0 });
  await webClient.post(path('/access/store'), { ...held, site: 'default' });
  assert.equal((await webClient.post(path('/activate'), {})).status, 200);
  assert.partialDeepStrictEqual(row(), { controller_site: 'default', active: 1 });
});

test('an unused site is removed after confirmation; a site with vouchers can only be deactivated', async () => {
  const id = await service.addSite('default', 'Irrtum');
  const refused = await webClient.post(`/sites/${id}/remove`, {});
  assert.match(refused.text, /kann nur deaktiviert werden/);
  await webClient.post(`/sites/${id}/deactivate`, {});
  assert.match((await webClient.get(`/sites/${id}`)).text, new RegExp(`href="/sites/${id}/remove"`));
  assert.match(
    (await webClient.get(`/sites/${id}/remove`)).text,
    /„Irrtum“ entfernen\?.*nicht rückgängig machen/s,
  );
  assert.equal(row(id).name, 'Irrtum');
  const removed = await webClient.post(`/sites/${id}/remove`, {});
  assert.equal(removed.location, '/sites');
  assert.match((await webClient.get('/sites')).text, /Der Standort ist entfernt/);
  assert.equal(row(id).name, undefined);
  assert.partialDeepStrictEqual(lastAudit(), { action: 'site.removed', subject: `site ${id} (Irrtum)` });

  const used = await addUnifi('Benutzt', console, 'k3w9x2pb');
  await webClient.post('/vouchers', { site: String(used), name: 'Zimmer 1' });
  await webClient.post(`/sites/${used}/deactivate`, {});
  assert.doesNotMatch((await webClient.get(`/sites/${used}`)).text, /\/remove"/);
  for (const page of [
    await webClient.get(`/sites/${used}/remove`),
    await webClient.post(`/sites/${used}/remove`, {}),
  ])
    assert.match(page.text, /kann nur deaktiviert werden/);
  assert.equal(row(used).name, 'Benutzt');
});

test('a used demo is removed with its vouchers after a confirmation that counts them', async () => {
  const demo = await service.addSite('default', 'Probe');
  const made = await webClient.post('/vouchers', { site: String(demo), name: 'Zimmer 1', count: '3' });
  assert.equal(made.status, 303);
  assert.match((await webClient.post(`/sites/${demo}/remove`, {})).text, /kann nur deaktiviert werden/);
  await webClient.post(`/sites/${demo}/deactivate`, {});
  assert.match((await webClient.get(`/sites/${demo}`)).text, new RegExp(`href="/sites/${demo}/remove"`));
  assert.match(
    (await webClient.get(`/sites/${demo}/remove`)).text,
    /„Probe“ entfernen\?.*nicht rückgängig machen.*<li>3 Voucher<\/li><li>1 Stapel<\/li>/s,
  );
  assert.equal(await confirmRemoval(demo), '/sites');
  assert.equal(row(demo).name, undefined);
  assert.deepEqual(service.rows(`select id from vouchers where site_id = ${demo}`), []);
  const simulator = new DatabaseSync(`${service.config.dataDir}/simulator.sqlite`, { readOnly: true });
  const left = simulator.prepare('select site from vouchers where site like ?').all(`${demo}/%`);
  simulator.close();
  assert.deepEqual(left, [], 'the simulator forgets the vouchers, too');
  assert.match(
    (await webClient.get('/audit')).text,
    /hat den Standort Probe entfernt, dazu 3 Voucher, 1 Stapel/,
  );
  for (const place of ['/', '/vouchers', '/batches', '/overview', '/sites'])
    assert.equal((await webClient.get(place)).status, 200, place);
});

test('the confirmation lists what goes with an unused site; with more than was listed the site stays', async () => {
  const id = await addUnifi('Möbliert', console, 'k3w9x2pb');
  await webClient.post(`/sites/${id}/deactivate`, {});
  const addPrinter = (name: string) =>
    service.beside.printers.add(samplePrinter(asSiteId(id), { name }), null, { actor: TESTER, atMs: 1 });
  await addPrinter('Bar');
  const asked = await webClient.get(`/sites/${id}/remove`);
  assert.match(asked.text, /Mit dem Standort werden gelöscht:.*<li>1 Drucker \(„Bar“\)<\/li>/s);
  await addPrinter('Küche');
  const changed = await webClient.post(`/sites/${id}/remove`, hiddenOf(asked.text));
  assert.equal(changed.location, `/sites/${id}/remove`);
  const again = await webClient.get(`/sites/${id}/remove`);
  assert.match(again.text, /Am Standort hat sich etwas geändert.*<li>2 Drucker \(„Bar“, „Küche“\)<\/li>/s);
  assert.equal(row(id).name, 'Möbliert');
  assert.equal((await webClient.post(`/sites/${id}/remove`, hiddenOf(again.text))).location, '/sites');
  assert.equal(row(id).name, undefined);
  assert.match(
    (await webClient.get('/audit')).text,
    /hat den Standort Möbliert entfernt, dazu 2 Drucker \(„Bar“, „Küche“\)/,
  );
});

test('a removal that takes longer continues after the page has been sent', async ({ mock }) => {
  const demo = await service.addSite('default', 'Große Probe');
  await webClient.post('/vouchers', { site: String(demo), name: 'Zimmer 1' });
  await webClient.post(`/sites/${demo}/deactivate`, {});
  const timeout = mock.method(AbortSignal, 'timeout', () => {
    const controller = new AbortController();
    queueMicrotask(() => controller.abort());
    return controller.signal;
  });
  assert.equal(await confirmRemoval(demo), '/sites');
  timeout.mock.restore();
  assert.match((await webClient.get('/sites')).text, /Der Standort wird entfernt/);
  await until(() => row(demo).name === undefined);
});

test('an invalid name is reported at its field, and nothing is changed', async () => {
  for (const name of ['', 'x'.repeat(101), 'a\u0000b']) {
    const { status, text } = await webClient.post(path(), basics({ name }));
    assert.equal(status, 422);
    assert.match(text, /id="name-error"/);
  }
  assert.partialDeepStrictEqual(row(), { name: 'Haus am See' });
});

test('a manual sync imports vouchers; a failure is shown with its reason, also in the list', async () => {
  console.controls.fill({ count: 3 });
  const good = await webClient.post(path('/sync'), {});
  assert.match(good.text, /Abgeglichen: 3 auf der Konsole, 0 geändert, 0 verschwunden, 3 neu übernommen/);
  assert.doesNotMatch((await webClient.get(path())).text, /noch nie/);

  const broken = await addUnifi('Zweigstelle', { ...elsewhere, fingerprint256: '0'.repeat(64) }, 'k3w9x2pb');
  const bad = await webClient.post(`/sites/${broken}/sync`, {});
  assert.match(bad.text, /Der Abgleich ist fehlgeschlagen/);
  const { text } = await webClient.get('/sites');
  assert.match(text, /gestört.*ein anderes Zertifikat als das bestätigte/s);
  assert.ok(text.indexOf('>Zweigstelle<') < text.indexOf('>Haus am See<'), 'sites that fail come first');
  assert.equal(elsewhere.controls.counters().requestsInAll, 0);
});

test('a changed certificate is called by its name, and both fingerprints are compared before it is confirmed', async () => {
  const [old, now] = ['0'.repeat(64), elsewhere.fingerprint256];
  const id = await addUnifi('Erneuert', { ...elsewhere, fingerprint256: old }, 'erneuert');
  await webClient.post(`/sites/${id}/sync`, {});
  assert.match(
    (await webClient.get(`/sites/${id}`)).text,
    /note bad.*ein anderes Zertifikat als das bestätigte.*Seit .*Fingerabdrücke vergleichen.*<dd><span class="pill failing">/s,
  );
  await service.beside.users.change(
    asUserId(await addUser(service, 'rita@example.org', 'operator')),
    { siteIds: [asSiteId(id)] },
    { actor: TESTER, atMs: 1 },
  );
  const desk = (await (await loggedIn(service, 'rita@example.org')).get('/')).text;
  assert.match(
    desk,
    /Erneuert: Die Konsole zeigt ein anderes Zertifikat als das bestätigte, seit .*Bitte die Verwaltung informieren/,
  );
  assert.doesNotMatch(desk, /nicht erreichbar|SHA-256/);

  const { text } = await webClient.post(`/sites/${id}/access`, { url: elsewhere.url });
  const shown = text.replaceAll('<wbr>', '').replace(/<[^>]+>/g, ' ');
  const both = `Bisher bestätigt +bestätigt am .* ${old.replace(/(..)(?=.)/g, '$1:')}.*Jetzt gezeigt +bemerkt am .* ${now}`;
  assert.match(shown, new RegExp(both, 's'));
  assert.match(text, /Neues Zertifikat bestätigen/);
  const same = await webClient.post(path('/access'), { url: console.url });
  assert.match(same.text, /Es ist dasselbe Zertifikat wie bisher.*Stimmt überein/s);
});

test('deactivating a site asks first and names the consequences; activating it tests the controller', async () => {
  const question = await webClient.get(path('/deactivate'));
  assert.match(question.text, /„Haus am See“ deaktivieren\?.*Neue Voucher sind dort nicht mehr möglich/s);
  assert.match(question.text, /button primary"[^>]*>Deaktivieren/, 'switching off destroys nothing');
  assert.partialDeepStrictEqual(row(), { active: 1 });
  assert.equal((await webClient.post(path('/deactivate'), {})).location, path());
  assert.partialDeepStrictEqual(row(), { active: 0 });
  assert.equal((await webClient.post(path('/sync'), {})).status, 303);
  const on = await webClient.post(path('/activate'), {});
  assert.match(on.text, /Der Standort ist aktiv\./);
  assert.partialDeepStrictEqual(row(), { active: 1 });
});

test('stored credentials are used only after the password, and only for their own URL', async () => {
  service.clock.advance(11 * 60_000);
  const here = { url: console.url, trust: pin(console.fingerprint256) };
  const sentBefore = console.controls.counters().requestsInAll;
  for (const step of ['/access', '/access/certificate', '/access/site', '/access/store'])
    assert.equal((await webClient.post(path(step), here)).status, 401, step);
  assert.equal(console.controls.counters().requestsInAll, sentBefore);
  const kept = await webClient.post(path('/access/site'), { ...here, 'confirm-password': PASSWORD });
  assert.ok(!kept.text.includes(console.apiKey));
  const held = hiddenOf(kept.text);
  const saved = await webClient.post(path('/access/store'), { ...held, site: 'default' });
  assert.equal(saved.location, path());

  const before = elsewhere.controls.counters().requestsInAll;
  const away = { url: elsewhere.url, trust: pin(elsewhere.fingerprint256) };
  const asked = await webClient.post(path('/access/site'), away);
  assert.equal(asked.status, 422);
  assert.match(asked.text, /id="api-key-error"/);
  for (const anyway of [{}, { anyway: 'yes' }]) {
    const sent = { ...held, url: elsewhere.url, site: 'default', ...anyway };
    assert.match((await webClient.post(path('/access/store'), sent)).text, /gelten nicht mehr/);
  }
  assert.equal(elsewhere.controls.counters().requestsInAll, before);
  assert.equal(
    (await service.beside.sites.list()).find(({ id }) => id === siteId)?.connection?.url,
    console.url,
  );
});

test('the controller of a site is changed after confirming its certificate and testing it', async () => {
  const certificate = await webClient.post(path('/access'), { url: elsewhere.url.replace('https://', '') });
  assert.ok(certificate.text.replaceAll('<wbr>', '').includes(elsewhere.fingerprint256));
  const away = { url: elsewhere.url, trust: pin(elsewhere.fingerprint256) };
  const asked = await webClient.post(path('/access/certificate'), away);
  assert.match(asked.text, /name="api-key"/);
  const wrong = await webClient.post(path('/access/site'), { ...away, 'api-key': 'falscher-Schlüssel' });
  assert.match(wrong.text, /lehnt den API-Schlüssel von Gastpass ab/);
  const choice = await webClient.post(path('/access/site'), { ...away, 'api-key': elsewhere.apiKey });
  const done = await webClient.post(path('/access/store'), { ...hiddenOf(choice.text), site: 'default' });
  assert.equal(done.status, 303);
  assert.match((await webClient.post(path('/test'), {})).text, /erstellt und wieder gelöscht/);
  assert.equal(
    (await webClient.get('/sites/1/access')).status,
    404,
    'a site on the simulator has no URL or credentials to change',
  );
});

test('names and controller messages that contain HTML are shown as text', async () => {
  const name = `<img src=x onerror=alert(1)>"'&`;
  const site = '<script>alert(2)</script>';
  const id = await service.addSite('default', name);
  const odd = await startSimulatedConsole({ sites: [{ name: site, desc: name }] });
  service.change(`insert into site_syncs (site_id, failed_at_ms, error) values (${id}, 1, '<b>hart</b>')`);
  const pages = [
    await webClient.get('/sites'),
    await webClient.get(`/sites/${id}`),
    await webClient.get(`/sites/${id}/deactivate`),
    await webClient.post(`/sites/${id}`, basics({ name: '', site })),
    await webClient.post('/sites/new', { ...basics({ name }), kind: 'unifi', url: elsewhere.url }),
    await loginTo(webClient, odd, { name }),
    await webClient.post('/sites/new', { name, site, kind: name, url: `https://${name}` }),
  ];
  await odd.stop();
  for (const { text } of pages) assert.doesNotMatch(text, /<img src=x|<script>alert|<b>hart/);
});

test('an unknown or invalid site id gets 404', async () => {
  for (const wrong of ['0', '999', '-1', '1e3', '99999999999', 'x', '%00'])
    assert.equal((await webClient.get(`/sites/${wrong}`)).status, 404, wrong);
});

test('the pages of sites are available in English too', async () => {
  const english = { 'accept-language': 'en' };
  assert.match((await webClient.get('/sites', english)).text, /Set up a site/);
  assert.match(
    (await webClient.get(path('/deactivate'), english)).text,
    /No new vouchers can be created there/,
  );
  assert.match(
    (await webClient.post(path('/test'), {}, english)).text,
    /a test voucher was created and deleted again/,
  );
});
