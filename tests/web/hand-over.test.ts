// Tests handing a voucher over: the view for the guest, the text that is shared, and printing straight after creation.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../src/kernel/ids.ts';
import { FIRST_SLIP, type SiteSlip } from '../../src/kernel/slips/slip.ts';
import { TESTER } from '../support/actors.ts';
import { makePng } from '../support/pictures.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

const WIFI = { wifiName: 'Seeblick Gäste', wifiSecurity: 'wpa', wifiPassword: 'am-wasser-2026' } as const;
const DEMO = 'Demo – ohne WLAN';
const BATCH = '11111111-2222-3333-4444-5555555555';

let service: TestService;
let operator: WebClient;
before(async () => {
  service = await startTestService();
  const id = await addUser(service, 'theke@example.org', 'operator');
  service.change(`insert into user_sites (user_id, site_id) values (${id}, 1)`);
  operator = await loggedIn(service, 'theke@example.org');
});
after(() => service.stop());

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });
const saveSlip = (slip: Partial<SiteSlip>) =>
  service.beside.slips.save(asSiteId(1), { ...FIRST_SLIP, ...slip }, audit());

async function make(name: string, fields: Record<string, string> = {}) {
  const made = await operator.post('/vouchers', { site: '1', name, ...fields });
  const [row] = service.rows('select id, code from vouchers order by id desc limit 1');
  return { ...made, id: Number(row?.id), code: String(row?.code).replace(/^(.{5})/, '$1-') };
}

test('a guest sees the Wi-Fi first and then the code, without navigation and data of the staff', async () => {
  await saveSlip(WIFI);
  const { id, code } = await make('Herr Geheim');
  const first = await operator.get(`/vouchers/${id}/guest`);
  const second = await operator.get(`/vouchers/${id}/guest?step=code`);
  for (const { text } of [first, second]) {
    assert.ok(text.includes(DEMO));
    assert.equal(text.match(/<svg class="qr"/g)?.length, 1);
    for (const hidden of [/<nav/, /Herr Geheim/, /theke/, /href="\/vouchers"/])
      assert.doesNotMatch(text, hidden);
  }
  for (const part of [WIFI.wifiName, WIFI.wifiPassword, 'href="/vouchers/'])
    assert.ok(first.text.includes(part), part);
  assert.ok(!first.text.includes(code));
  assert.ok(second.text.includes(code) && !second.text.includes(WIFI.wifiPassword));
  assert.match(first.text, new RegExp(`href="/vouchers/${id}/guest\\?step=code"`));
  assert.match(second.text, new RegExp(`href="/vouchers/${id}/guest"`));
});

test('a guest sees the logo and the name of the site, as on its slips', async () => {
  const { id } = await make('Kopf');
  service.change("update sites set name = 'Haus am See' where id = 1");
  const head = async () =>
    (await operator.get(`/vouchers/${id}/guest`)).text.match(/<p class="brand">(.*?)<\/p>/s)?.[1] ?? '';
  assert.match(await head(), /Gastpass.*Haus am See/);
  for (const [name, src] of [
    ['logo', '/logo?v='],
    [`site-${asSiteId(1)}`, '/sites/1/logo-image?v='],
  ] as const) {
    await service.beside.images.save(name, { type: 'image/png', bytes: makePng() }, audit());
    const shown = await head();
    assert.ok(shown.includes(`<img class="logo" src="${src}`), shown);
    assert.match(shown, /Haus am See/);
    assert.doesNotMatch(shown, /Gastpass/);
  }
  await saveSlip({ logoHasName: true });
  assert.match(await head(), /^<img [^>]* alt="Haus am See">$/);
});

test('the view for the guest leads back to the voucher without losing the filter of the list', async () => {
  await saveSlip(WIFI);
  const { id } = await make('Filter');
  const from = 'from=state%3Dunused';
  const { text } = await operator.get(`/vouchers/${id}?${from}`);
  assert.ok(text.includes(`href="/vouchers/${id}/guest?${from}"`));
  const first = await operator.get(`/vouchers/${id}/guest?${from}`);
  const second = await operator.get(`/vouchers/${id}/guest?step=code&${from}`);
  assert.ok(first.text.includes(`href="/vouchers/${id}/guest?step=code&amp;${from}"`));
  assert.ok(second.text.includes(`href="/vouchers/${id}/guest?${from}"`));
  for (const view of [first, second]) assert.ok(view.text.includes(`href="/vouchers/${id}?${from}"`));
});

test('for a Wi-Fi without a stored password and an unknown one, a guest sees only the code', async () => {
  const { id, code } = await make('Offen');
  for (const slip of [{ ...WIFI, wifiPassword: null }, {}] as const) {
    await saveSlip(slip);
    const { text } = await operator.get(`/vouchers/${id}/guest`);
    assert.ok(text.includes(code));
    assert.equal(text.includes(WIFI.wifiName), 'wifiName' in slip);
    assert.doesNotMatch(text, /step=code/);
  }
});

test('an open Wi-Fi has a QR code too, and both languages of the slips are shown; staff read their own', async () => {
  const { id } = await make('Zweisprachig');
  await saveSlip({ ...WIFI, wifiSecurity: 'open', wifiPassword: null, languages: ['en', 'de'] });
  operator.cookies.set('language', 'de');
  const first = await operator.get(`/vouchers/${id}/guest`);
  assert.match(
    first.text,
    /<html lang="en".*lang="en">Connect to the Wi-Fi<.*lang="de">Mit dem WLAN verbinden<.*<svg class="qr".*Wi-Fi \/ WLAN/s,
  );
  assert.match(first.text, /lang="de" href="[^"]*">Fertig</);
  assert.doesNotMatch(first.text, /Password/);
  const second = await operator.get(`/vouchers/${id}/guest?step=code`);
  assert.match(second.text, /Enter the code.*Code eingeben.*<svg class="qr".*8 hours.*8 Stunden/s);
  await saveSlip({});
});

test('guests read the language of the installation', async () => {
  const { id } = await make('Sprache');
  await service.beside.settings.change({ language: 'en' }, audit());
  operator.cookies.set('language', 'de');
  const { text } = await operator.get(`/vouchers/${id}/guest`);
  assert.match(text, /<html lang="en".*Enter the code/s);
  assert.match((await operator.get(`/vouchers/${id}`)).text, /<html lang="de".*data-share="[^"]*8 hours/s);
  await service.beside.settings.change({ language: null }, audit());
});

test('the shared text names the Wi-Fi, the code and the duration, and not the password', async () => {
  await saveSlip(WIFI);
  const { id, code, location } = await make('Teilen');
  for (const path of [location ?? '', `/vouchers/${id}`]) {
    const shared = /data-share="([^"]*)"/.exec((await operator.get(path)).text)?.[1];
    assert.equal(
      shared,
      `WLAN: Seeblick Gäste\nCode: ${code}\n1 Gerät, 8 Stunden ab erster Nutzung\n${DEMO}`,
      path,
    );
  }
});

test('a voucher that has ended is neither shown nor shared nor printed', async () => {
  const { id, location } = await make('Vorbei');
  service.change(`update vouchers set ended_at_s = created_at_s where id = ${id}`);
  for (const path of [`/vouchers/${id}/guest`, location ?? '', `${location}?print`])
    assert.equal((await operator.get(path)).location, `/vouchers/${id}`, path);
  assert.doesNotMatch((await operator.get(`/vouchers/${id}`)).text, /guest|data-share|data-copy|print\?/);
});

test('printing straight after creation is remembered on the device, and the print page opens once', async () => {
  assert.doesNotMatch((await operator.get('/')).text, /name="print"[^>]* checked/);
  const fields = { print: 'on', batch: `${BATCH}01` };
  const [first, again] = [await make('Sofort', fields), await make('Sofort', fields)];
  assert.equal(first.location, `/batches/${BATCH}01?print`);
  assert.equal(again.location, first.location);
  assert.equal(service.rows("select id from vouchers where name like '%_Sofort'").length, 1);
  const led = await operator.get(first.location ?? '');
  assert.equal(led.location, `/vouchers/print?batch=${BATCH}01#now`);
  assert.match((await operator.get('/')).text, /name="print"[^>]* checked/);

  const plain = await make('Später');
  assert.match(plain.location ?? '', /^\/batches\/[0-9a-f-]+$/);
  assert.equal((await operator.get(plain.location ?? '')).status, 200);
  assert.doesNotMatch((await operator.get('/')).text, /name="print"[^>]* checked/);
});

test('a batch that failed shows what happened instead of printing', async () => {
  const site = await service.addSite('fail:refuse', 'Kaputt');
  service.change(`insert into user_sites (user_id, site_id) select id, ${site} from users`);
  const { location } = await make('Geht nicht', { site: String(site), print: 'on' });
  const { status, text } = await operator.get(location ?? '');
  assert.equal(status, 200);
  assert.match(text, /Kein Voucher erstellt/);
});
