// Tests how vouchers of the reserve are handed out after an order that the console did not meet: on the page of the
// order and on the home page, once for each order, with everything that was ordered. The API never gets them.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import type { SiteId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { pinOf } from '../site-form.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

const OFFER = /Reserve-Voucher ausgeben/;

let service: TestService;
let rita: WebClient;
let paul: WebClient;
let console: SimulatedConsole;
let siteId: SiteId;
let made = 0;
before(async () => {
  service = await startTestService({ jobs: false });
  console = await startSimulatedConsole();
  const { url, apiKey } = console;
  const trust = { kind: 'pinned' as const, fingerprint256: pinOf(console) };
  const connection = { url, credentials: { apiKey }, trust };
  const site = {
    name: 'Haus A',
    active: true,
    controllerKind: 'unifi',
    controllerSite: 'default',
    connection,
  };
  siteId = await service.beside.sites.add(site, audit());
  for (const name of ['rita', 'paul']) {
    const id = await addUser(service, `${name}@example.org`, 'operator');
    service.change(`insert into user_sites (user_id, site_id) values (${id}, ${siteId})`);
  }
  rita = await loggedIn(service, 'rita@example.org');
  paul = await loggedIn(service, 'paul@example.org');
  await service.beside.reserves.set({ siteId, wanted: 20, profileId: null }, audit());
});
after(async () => {
  await service.stop();
  await console.stop();
});
beforeEach(() => {
  switchConsole('off');
  service.change(`delete from stock where site_id = ${siteId}`);
});

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });
/** Nothing listens at the URL of a site whose console is off. */
function switchConsole(to: 'on' | 'off'): void {
  const url = to === 'on' ? console.url : 'https://127.0.0.1:9';
  service.change(`update sites set controller_url = '${url}' where id = ${siteId}`);
}
function stockUp(count: number): void {
  for (let left = count; left > 0; left--) {
    made++;
    const values = [
      siteId,
      `'ready'`,
      `'2026-11-01_Reserve'`,
      2,
      120,
      0,
      0,
      0,
      10_000 + made,
      `'r${made}'`,
      made,
    ];
    service.change(
      `insert into stock (site_id, state, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, code,
        controller_voucher_id, made_at_ms) values (${values.join(', ')})`,
    );
  }
}
const order = async (client: WebClient, fields: Record<string, string> = {}) => {
  const { location } = await client.post('/vouchers', {
    site: String(siteId),
    name: 'Zimmer 12',
    uses: '5',
    ...fields,
  });
  return location ?? '';
};
const vouchers = () => service.rows(`select * from vouchers where site_id = ${siteId} order by id`);
const ready = async () => (await service.beside.reserves.find(siteId)).ready;

test('after a failed order, one click hands out a voucher of the reserve with the name that was typed', async () => {
  stockUp(3);
  const created = () => service.rows(`select * from audit where action = 'voucher.created'`).length;
  const createdBefore = created();
  const name = 'Ferienwohnung Seeblick, Familie Müller 40';
  const page = await order(rita, { name });
  const failed = (await rita.get(page)).text;
  assert.match(failed, OFFER);
  assert.match(failed, /Aus der Reserve: 2 Geräte, 2 Stunden[^.]*\. Noch 3\./);
  const { status, location } = await rita.post(`${page}/reserve`, {});
  assert.equal(status, 303);
  const shown = (await rita.get(location ?? '')).text;
  const voucher = vouchers().at(-1);
  assert.match(String(voucher?.name), new RegExp(`^\\d{4}-\\d\\d-\\d\\d_${name}$`));
  assert.equal(voucher?.console_name, '2026-11-01_Reserve');
  assert.match(shown, /2 Geräte, 2 Stunden/);
  assert.match(shown, /Name auf der Konsole: 2026-11-01_Reserve/);
  assert.match(
    (await rita.get(`/vouchers/${voucher?.id}`)).text,
    /Name auf der Konsole[\s\S]*2026-11-01_Reserve/,
  );
  assert.match((await rita.get('/vouchers?q=Seeblick')).text, new RegExp(`/vouchers/${voucher?.id}\\b`));
  assert.equal(await ready(), 2);
  assert.equal(created(), createdBefore + 1);
});

test('a voucher of the reserve that is named like the reserve keeps its limits, and its name is shown once', async () => {
  stockUp(1);
  const name = `${String(vouchers().at(-1)?.name).slice(0, 11)}Reserve`;
  service.change(`update stock set name = '${name}' where site_id = ${siteId}`);
  const page = await order(rita, { name: 'Reserve' });
  const { location } = await rita.post(`${page}/reserve`, {});
  const shown = (await rita.get(location ?? '')).text;
  const voucher = vouchers().at(-1);
  assert.deepEqual([voucher?.name, voucher?.console_name], [name, name]);
  assert.match(shown, /2 Geräte, 2 Stunden/);
  for (const text of [shown, (await rita.get(`/vouchers/${voucher?.id}`)).text])
    assert.doesNotMatch(text, /Auf der Konsole/);
});

test('the failed order is settled, and offered on the home page before', async () => {
  stockUp(1);
  const page = await order(rita, { name: 'Zimmer 7' });
  assert.match((await rita.get('/')).text, OFFER);
  await rita.post(`${page}/reserve`, {});
  const home = (await rita.get('/')).text;
  assert.doesNotMatch(home, OFFER);
  assert.doesNotMatch(home, new RegExp(`href="${page}"`));
});

test('several clicks by several users hand out one voucher', async () => {
  stockUp(5);
  const before = vouchers().length;
  const page = await order(rita);
  const responses = await Promise.all(
    [rita, paul, rita, paul, rita].map((client) => client.post(`${page}/reserve`, {})),
  );
  assert.deepEqual(
    responses.map(({ status }) => status),
    [303, 303, 303, 303, 303],
  );
  assert.equal(vouchers().length, before + 1);
  assert.equal(await ready(), 4);
  assert.doesNotMatch((await rita.get(page)).text, OFFER);
});

test('one of two receptionists gets the last voucher, and the other one is told', async () => {
  stockUp(1);
  const before = vouchers().length;
  const pages = [await order(rita, { name: 'Rita' }), await order(paul, { name: 'Paul' })];
  const clients = [rita, paul];
  const responses = await Promise.all(
    pages.map((page, index) => clients[index]?.post(`${page}/reserve`, {})),
  );
  const texts = await Promise.all(
    responses.map(
      async (response, index) => (await clients[index]?.get(response?.location ?? ''))?.text ?? '',
    ),
  );
  assert.equal(vouchers().length, before + 1);
  assert.equal(texts.filter((text) => /Die Reserve ist leer|nicht genug Voucher/.test(text)).length, 1);
  assert.equal(texts.filter((text) => text.includes('Name auf der Konsole: ')).length, 1);
});

test('an order of several vouchers gets them only if the reserve has enough', async () => {
  stockUp(2);
  const page = await order(rita, { name: 'Familie', count: '3' });
  assert.doesNotMatch((await rita.get(page)).text, OFFER);
  const before = vouchers().length;
  assert.equal((await rita.post(`${page}/reserve`, {})).status, 303);
  assert.equal(vouchers().length, before);
  stockUp(1);
  assert.match((await rita.get(page)).text, /3 Reserve-Voucher ausgeben/);
  const { location } = await rita.post(`${page}/reserve`, {});
  assert.match((await rita.get(location ?? '')).text, /2 Geräte, 2 Stunden/);
  assert.equal(vouchers().length, before + 3);
  assert.equal(await ready(), 0);
});

test('nothing is offered without a reserve, after a success, or to users of another site', async () => {
  const page = await order(rita);
  assert.doesNotMatch((await rita.get(page)).text, OFFER);
  stockUp(2);
  await addUser(service, 'otto@example.org', 'operator');
  const otto = await loggedIn(service, 'otto@example.org');
  assert.equal((await otto.post(`${page}/reserve`, {})).status, 404);
  switchConsole('on');
  const done = await order(rita);
  assert.doesNotMatch((await rita.get(done)).text, OFFER);
  const before = vouchers().length;
  await rita.post(`${done}/reserve`, {});
  assert.equal(vouchers().length, before);
  assert.equal(await ready(), 2);
});

test('a voucher of the reserve does not hide that the console fails', async () => {
  stockUp(1);
  const page = await order(rita);
  await rita.post(`${page}/reserve`, {});
  assert.ok((await service.beside.failedOrders.list()).has(siteId));
});

test('a site that was deactivated hands out nothing', async () => {
  stockUp(1);
  const page = await order(rita);
  await service.beside.sites.change(siteId, { active: false }, audit());
  assert.equal((await rita.post(`${page}/reserve`, {})).status, 404);
  await service.beside.sites.change(siteId, { active: true }, audit());
  assert.equal(await ready(), 1);
});

test('the overview counts the reserve, warns while it is low and the console fails, and marks an empty one', async () => {
  await addUser(service, 'anna@example.org', 'admin');
  const anna = await loggedIn(service, 'anna@example.org');
  stockUp(12);
  await service.beside.syncs.noteFailure(siteId, 'no route', 'nobody-answers');
  const enough = (await anna.get('/overview')).text;
  assert.match(enough, /Reserve: 12 von 20/);
  assert.doesNotMatch(enough, /in Reserve/);
  service.change(`delete from stock where code > '${10_000 + made - 3}'`);
  assert.match((await anna.get('/overview')).text, /Haus A: Nur noch 9 von 20 Vouchern in Reserve/);
  service.change(`delete from stock where site_id = ${siteId}`);
  const empty = (await anna.get('/overview')).text;
  assert.match(empty, /Haus A: Die Reserve ist leer/);
  assert.match(empty, /class="pill failing">(?:(?!<\/span>).)*Reserve leer/);
});

test('the API never gets a voucher of the reserve', async () => {
  stockUp(2);
  const before = vouchers().length;
  const asked = { site_id: siteId, name: 'API', from_reserve: true };
  const legacy = await service.call('POST', 'vouchers.php', { body: asked });
  assert.ok(legacy.status >= 500, String(legacy.status));
  for (const body of [asked, { site_id: siteId, name: 'API' }]) {
    const { status } = await service.call('POST', 'v1/vouchers', { body });
    assert.ok([400, 422].includes(status) || status >= 500, String(status));
  }
  const page = await order(rita);
  const headers = { authorization: `Bearer ${service.keyText}`, 'x-api-key': service.keyText };
  await fetch(`${service.url}${page}/reserve`, { method: 'POST', headers, redirect: 'manual' });
  assert.equal(vouchers().length, before);
  assert.equal(await ready(), 2);
});
