// Tests what users see after an order or a revocation failed because the console is off: the known cause, who helps,
// and a button that orders the same again, once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { asBatchId, asSiteId, type SiteId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { endWaitingBatches } from '../../support/end-waiting-batches.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { pinOf } from '../site-form.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

const TECHNICAL = /ECONNREFUSED|no connection to the controller|127\.0\.0\.1/;
const english = { 'accept-language': 'en' };

let service: TestService;
let admin: WebClient;
let rita: WebClient;
let console: SimulatedConsole;
let siteId: SiteId;
before(async () => {
  service = await startTestService();
  console = await startSimulatedConsole();
  const { url, apiKey } = console;
  const trust = { kind: 'pinned' as const, fingerprint256: pinOf(console) };
  siteId = await service.beside.sites.add(
    {
      name: 'Haus A',
      active: true,
      controllerKind: 'unifi',
      controllerSite: 'default',
      connection: { url, credentials: { apiKey }, trust },
    },
    { actor: TESTER, atMs: service.clock.nowMs() },
  );
  await addUser(service, 'anna@example.org', 'admin');
  const ritaId = await addUser(service, 'rita@example.org', 'operator');
  service.change(`insert into user_sites (user_id, site_id) values (${ritaId}, ${siteId})`);
  admin = await loggedIn(service, 'anna@example.org');
  rita = await loggedIn(service, 'rita@example.org');
});
after(async () => {
  await service.stop();
  await console.stop();
});

const order = (client: WebClient, fields: Record<string, string> = {}) =>
  client.post('/vouchers', { site: String(siteId), name: 'Zimmer 12', uses: '3', ...fields });
const count = (from: string) => Number(service.rows(`select count(*) as n from ${from}`)[0]?.n);
/** The console fails for longer than open batches wait. */
async function waitTooLong(): Promise<void> {
  await until(() => count('batches where ended_at_ms is null') > 0);
  await endWaitingBatches(service);
  await until(() => count('batches where ended_at_ms is null') === 0);
}
const vouchers = () => service.rows(`select * from vouchers where site_id = ${siteId} order by id`);
/** Nothing listens at the URL of a site whose console is off. */
function switchConsole(to: 'on' | 'off'): void {
  const url = to === 'on' ? console.url : 'https://127.0.0.1:9';
  service.change(`update sites set controller_url = '${url}' where id = ${siteId}`);
}

test('staff read what happened, whose fault it is not, what is kept and who helps', async () => {
  await order(rita);
  const [{ id } = {}] = vouchers();
  switchConsole('off');
  const { location } = await order(rita);
  const failed = (await rita.get(location ?? '')).text;
  assert.match(failed, /Die Konsole antwortet nicht\. Das liegt nicht an Ihnen\./);
  assert.match(failed, /Ihre Eingaben bleiben auf dieser Seite erhalten\./);
  assert.match(failed, /Bitte die Verwaltung informieren/);
  assert.doesNotMatch(failed, TECHNICAL);
  assert.doesNotMatch(failed, /wie erwartet/);
  assert.match(
    (await rita.get(location ?? '', english)).text,
    /The controller does not answer\. This is not your fault\./,
  );

  await admin.post('/settings/helper', { 'helper-name': 'Uwe Krüger', 'helper-phone': '+49 151 / 23' });
  const revoking = await rita.post(`/vouchers/${id}/revoke`, {});
  for (const { text } of [await rita.get(location ?? ''), revoking]) {
    assert.match(text, /Hilfe: Uwe Krüger, <a class="whole" href="tel:\+4915123">\+49 151 \/ 23<\/a>/);
    assert.doesNotMatch(text, TECHNICAL);
  }
  assert.match(revoking.text, /Die Konsole antwortet nicht\. Das liegt nicht an Ihnen\./);
  assert.match(revoking.text, new RegExp(`action="/vouchers/${id}/revoke"[^]*>Erneut versuchen<`));
});

test('administrators also read how to fix it, and find the site', async () => {
  const { location } = await order(admin);
  const { text } = await admin.get(location ?? '');
  assert.match(
    text,
    new RegExp(
      `Die Konsole antwortet nicht\\..*href="/sites/${siteId}".*no connection to the controller`,
      's',
    ),
  );
  assert.doesNotMatch(text, new RegExp(console.apiKey));
});

/** The sentences of the audit log about this site, newest first. */
async function sentences(headers = {}): Promise<string[]> {
  const { text } = await admin.get(`/audit?site=${siteId}`, headers);
  return [...text.matchAll(/<td class="words"[^>]*><span>(.*?)<\/span><\/td>/g)].map(([, sentence = '']) =>
    sentence.replace(/<[^>]+>/g, ''),
  );
}

test('failures of pages and of the API are in the audit log, in sentences with the cause', async () => {
  const body = { site_id: siteId, name: 'Kasse', expire_minutes: 60 };
  for (let times = 0; times < 3; times++)
    assert.equal((await service.call('POST', 'vouchers.php', { body })).status, 500);
  const said = await sentences();
  const count = (sentence: string) => said.filter((one) => one === sentence).length;
  assert.equal(count('rita konnte keinen Voucher für Haus A erstellen: Die Konsole antwortet nicht'), 1);
  assert.equal(
    count('rita konnte einen Voucher von Haus A nicht widerrufen: Die Konsole antwortet nicht'),
    1,
  );
  assert.equal(count('anna konnte keinen Voucher für Haus A erstellen: Die Konsole antwortet nicht'), 1);
  const ofKey = said.filter((one) =>
    /API-Schlüssel „Test“ konnte keinen Voucher für Haus A erstellen/.test(one),
  );
  assert.ok(ofKey.length <= 2, 'equal failures are summed up, and the breaker adds another cause');
  assert.ok(
    (await sentences(english)).includes(
      'rita could not create one voucher for Haus A: The controller does not answer',
    ),
  );
});

test('the overview shows the failure until a voucher could be created', async () => {
  const bad = /Haus A: Zuletzt ließ sich/;
  const { text } = await admin.get('/overview');
  assert.match(text, bad);
  assert.doesNotMatch(text, /Alles in Ordnung/);
  assert.match((await admin.get('/overview', english)).text, /Haus A: (the last|a) voucher could not be/);
  await service.beside.syncs.noteSuccess(siteId);
  switchConsole('on');
  service.clock.advance(60_000);
  await order(rita);
  assert.match((await admin.get('/overview')).text, /Alles in Ordnung/);
  await service.beside.failedOrders.forgetPast();
  service.change('update vouchers set missing_since_s = 1');
  assert.match((await admin.get('/overview')).text, /Alles in Ordnung/, 'after the new voucher has expired');
  switchConsole('off');
  await order(rita);
  assert.match((await admin.get('/overview')).text, bad);
  switchConsole('on');
  await admin.post(`/sites/${siteId}/test`, {});
  assert.match((await admin.get('/overview')).text, /Alles in Ordnung/, 'after a test');
  switchConsole('off');
});

test('an order of several vouchers waits for the console, says so, and goes on by itself', async () => {
  const { location } = await order(rita, { name: 'Wartet', count: '2' });
  const id = location?.split('/').at(-1);
  const page = async (headers = {}) => (await rita.get(location ?? '', headers)).text;
  await until(() => count(`batches where id = '${id}' and problem is not null`) === 1);
  assert.match(
    await page(),
    /0 von 2 erstellt …<.*Die Konsole (antwortet nicht|ist nicht erreichbar).*bis .*12:\d\d.Uhr von selbst weiter/s,
  );
  assert.match(
    await page(english),
    /The controller (does not answer|cannot be reached).*keeps trying until/s,
  );
  assert.match(await page(), /http-equiv="refresh"/);
  assert.doesNotMatch(await page(), /Erneut versuchen/);
  assert.doesNotMatch((await rita.get('/')).text, />Wartet</, 'it has not failed');
  switchConsole('on');
  await until(() => count(`batches where id = '${id}' and ended_at_ms is not null`) === 1);
  assert.match(await page(), /2 Voucher erstellt/);
  switchConsole('off');
});

test('one button orders what is missing, in the same batch, once however often it is used', async () => {
  const fields = { name: 'Tagung', count: '2', validity: 'own', duration: '3', unit: 'days' };
  const ordering = order(rita, fields);
  await waitTooLong();
  const { location } = await ordering;
  const button = new RegExp(`<form method="post" action="${location}/retry"[^]*?>Erneut versuchen</button>`);
  assert.match((await rita.get(location ?? '')).text, button);
  const trying = rita.post(`${location}/retry`, {});
  await waitTooLong();
  const again = await trying;
  assert.match((await rita.get(again.location ?? '')).text, /Kein Voucher erstellt.*Erneut versuchen/s);

  switchConsole('on');
  assert.equal(again.location, location, 'there is no second batch');
  const before = vouchers().length;
  const retried = await Promise.all([1, 2, 3].map(() => rita.post(`${again.location}/retry`, {})));
  const places = new Set(retried.map((page) => page.location));
  assert.equal(places.size, 1);
  const [place = ''] = places;
  const id = asBatchId(place?.split('/').at(-1) ?? '');
  await until(async () => (await service.beside.batches.find(id))?.endedAtMs !== null);
  assert.match((await rita.get(place ?? '')).text, /2 Voucher erstellt/);
  const made = vouchers().slice(before);
  assert.deepEqual(
    made.map(({ name, max_uses, expire_minutes }) => [name, max_uses, expire_minutes]),
    Array(2).fill([made[0]?.name, 3, 3 * 24 * 60]),
  );
  assert.match(String(made[0]?.name), /_Tagung$/);
  await rita.post(`${place}/retry`, {});
  assert.equal(vouchers().length, before + 2, 'a complete batch is not repeated');
  const older = await rita.post(`${location}/retry`, {});
  assert.equal(older.location, place, 'an older page leads to the attempt that succeeded');
  assert.equal(vouchers().length, before + 2);
});

test('a form that was opened before somebody resumed the order makes no second batch', async () => {
  switchConsole('off');
  const fields = { name: 'Reisegruppe', count: '2' };
  const ordering = order(rita, fields);
  await waitTooLong();
  const { location } = await ordering;
  const resuming = admin.post(`${location}/retry`, {});
  await until(() => count('batches where ended_at_ms is null') === 1);
  const before = count('batches');
  const instead = location?.split('/').at(-1) ?? '';
  assert.equal((await order(rita, { ...fields, count: '1', instead })).location, location);
  assert.equal(count('batches'), before);
  await waitTooLong();
  await resuming;
});

test('the home page shows the failed orders of the user until they are tried again or hidden', async () => {
  const home = async (client = rita) => (await client.get('/')).text;
  const said = async (client?: WebClient) =>
    /<strong>([^<]*fehlgeschlagen)\.<\/strong>/.exec(await home(client))?.[1];
  await rita.post('/failed-orders/hide', {});
  assert.equal(await said(), undefined);
  switchConsole('off');
  const { location } = await order(rita, { name: 'Zimmer 7', validity: '1440' });
  await order(rita, { name: 'Zimmer 8' });
  assert.equal(await said(), '2 Aufträge sind fehlgeschlagen');
  assert.match(await home(), new RegExp(`<a href="${location}"[^>]*>Zimmer 7</a>`));
  assert.doesNotMatch(await home(admin), /Zimmer 7/);

  const failed = (await rita.get(location ?? '')).text;
  assert.match(failed, /Letzter Versuch: \d/);
  const [, href = ''] = /<a class="button" href="(\/\?[^"]+)">Eingaben ändern/.exec(failed) ?? [];
  const form = (await rita.get(href.replaceAll('&amp;', '&'))).text;
  assert.match(form, /value="1440" checked/, 'a preset stays a preset');
  const [, instead = ''] = /name="instead" value="([^"]+)"/.exec(form) ?? [];
  assert.equal(instead, location?.split('/').at(-1));
  switchConsole('on');
  const { location: other } = await order(rita, { name: 'Zimmer 7a', instead });
  assert.equal(await said(), '1 Auftrag ist fehlgeschlagen');
  const replaced = (await rita.get(location ?? '')).text;
  assert.match(replaced, new RegExp(`<a href="${other}">Dafür gibt es inzwischen einen anderen Auftrag`));
  assert.doesNotMatch(replaced, /Eingaben bleiben|Erneut versuchen/);
  await rita.post('/failed-orders/hide', {});
  assert.equal(await said(), undefined);
});

test('an order that failed more than a day ago is not tried again, and its page says so', async () => {
  switchConsole('off');
  const { location } = await order(rita, { name: 'Gestern' });
  service.change(`update batches set ended_at_ms = ended_at_ms - ${25 * 60 * 60_000} where name = 'Gestern'`);
  const { text } = await rita.get(location ?? '');
  assert.match(text, /Der Auftrag ist zu alt.*bitte neu erstellen/);
  assert.doesNotMatch(text, /Eingaben bleiben|Erneut versuchen/);
});

test('a failure that a later release has written does not hide the others', async () => {
  const { failedOrders } = service.beside;
  await failedOrders.remember(siteId, { action: 'voucher.not-created', cause: 'away', atMs: 1 });
  const [{ value } = {}] = service.rows("select value from settings where name = 'failed_orders'");
  const [failure, ...others] = JSON.parse(String(value));
  const later = { ...failure, siteId: 0, action: 'voucher.not-moved' };
  const changed = JSON.stringify([later, failure, ...others]);
  service.change("update settings set value = ? where name = 'failed_orders'", changed);
  assert.deepEqual([...(await failedOrders.list()).keys()], [siteId]);
  await failedOrders.forget(siteId);
});

test('the contact is optional, has a bounded length and is recorded in the audit log', async () => {
  const wrong = await admin.post('/settings/helper', {
    'helper-name': 'x'.repeat(61),
    'helper-phone': '\u200b',
  });
  assert.match(
    wrong.text,
    /id="helper-name-error">Höchstens 60 Zeichen.*id="helper-phone-error">Enthält unsichtbare/s,
  );
  assert.equal(
    (await admin.post('/settings/helper', { 'helper-name': '', 'helper-phone': '7' })).status,
    303,
  );
  assert.match((await admin.get('/audit')).text, /Wer hilft \(Telefon\): „7“/);
});

test('while it is uncertain whether the console has made the vouchers, they cannot be ordered again', async () => {
  switchConsole('off');
  const { location } = await order(rita, { name: 'Ungewiss' });
  const id = location?.split('/').at(-1);
  const batch = async () => (await rita.get(location ?? '')).text;
  assert.match(await batch(), /Erneut versuchen/);
  service.change(
    `insert into intents (site_id, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, source, created_at_ms,
      batch_id) values (?, 'Ungewiss', 1, 60, 0, 0, 0, 'Web: rita', ?, ?)`,
    siteId,
    service.clock.nowMs(),
    id ?? '',
  );
  assert.doesNotMatch(await batch(), /Erneut versuchen/);
  assert.match(await batch(), /Vielleicht hat die Konsole die fehlenden Voucher doch erstellt/);
  assert.equal((await rita.post(`${location}/retry`, {})).location, location);
  service.change(`delete from intents where batch_id = '${id}'`);
  service.clock.advance(24 * 60 * 60_000);
  assert.doesNotMatch(await batch(), /Erneut versuchen/, 'a day later');
});

test('the failure of one site leaves that of another in mind', async () => {
  const { failedOrders } = service.beside;
  const sites = [asSiteId(await service.addSite()), asSiteId(await service.addSite())];
  for (const site of sites)
    await failedOrders.remember(site, {
      action: 'voucher.not-created',
      cause: 'away',
      atMs: service.clock.nowMs(),
    });
  const remembered = await failedOrders.list();
  assert.deepEqual(
    sites.map((site) => remembered.has(site)),
    [true, true],
  );
});
