// Tests slips in the web interface: the content that an administrator sets, and which vouchers a user may print.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../src/kernel/ids.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

const SITE = asSiteId(1);
const PASSWORD = 'streng;geheim';
const SLIP = {
  'wifi-name': 'Gäste; "WLAN"',
  'wifi-security': 'wpa',
  'wifi-password': PASSWORD,
  text: 'Guten Tag\r\nFrühstück ab 7',
};

let service: TestService;
let admin: WebClient;
let operator: WebClient;
let elsewhere: number;
before(async () => {
  service = await startTestService();
  elsewhere = await service.addSite('default', 'Haus B');
  await addUser(service, 'admin@example.org', 'admin');
  const id = await addUser(service, 'theke@example.org', 'operator');
  service.change(`insert into user_sites (user_id, site_id) values (${id}, 1)`);
  admin = await loggedIn(service, 'admin@example.org');
  operator = await loggedIn(service, 'theke@example.org');
});
after(() => service.stop());

async function make(name: string, fields: Record<string, string> = {}) {
  const { location } = await admin.post('/vouchers', { site: '1', name, ...fields });
  const rows = service.rows(
    `select id, code from vouchers where name like '%\\_${name}' escape '\\' order by id`,
  );
  const code = (index: number) => String(rows[index]?.code).replace(/^(.{5})/, '$1-');
  return { batch: location?.split('/').at(-1), ids: rows.map(({ id }) => Number(id)), code };
}
const asked = (ids: unknown[]) => ids.map((id) => `voucher=${id}`).join('&');
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, part]) => part);

test('the Wi-Fi data and the text of a site are stored, audited, and printed on every slip', async () => {
  const saved = await admin.post('/sites/1/slip', SLIP);
  assert.equal(saved.location, '/sites/1/slip');
  assert.deepEqual(await service.beside.slips.find(SITE), {
    wifiName: SLIP['wifi-name'],
    wifiSecurity: 'wpa',
    wifiPassword: PASSWORD,
    text: 'Guten Tag\nFrühstück ab 7',
  });
  const [entry] = service.rows('select * from audit order by id desc limit 1');
  assert.partialDeepStrictEqual({ ...entry }, { actor: 'Web: admin', action: 'slip.changed' });
  const { ids } = await make('Wlan');
  const { text } = await operator.get(`/vouchers/print?${asked(ids)}`);
  for (const part of [
    '„Gäste; &quot;WLAN&quot;“',
    PASSWORD,
    'Guten Tag<',
    'Frühstück ab 7<',
    'Mit dem WLAN verbinden',
  ])
    assert.ok(text.includes(part), part);
});

test('the Wi-Fi password is not shown again, is kept if the field is empty, and can be removed', async () => {
  const { text } = await admin.get('/sites/1/slip');
  assert.ok(!text.includes(PASSWORD));
  await admin.post('/sites/1/slip', { ...SLIP, 'wifi-password': '', text: 'neu' });
  assert.partialDeepStrictEqual(await service.beside.slips.find(SITE), {
    wifiPassword: PASSWORD,
    text: 'neu',
  });
  assert.doesNotMatch((await admin.get('/sites/1/slip')).text, /keinen QR-Code zum Verbinden/);
  await admin.post('/sites/1/slip', { ...SLIP, 'wifi-password': '', 'remove-password': '1' });
  assert.match((await admin.get('/sites/1/slip')).text, /keinen QR-Code zum Verbinden/);
  assert.equal((await service.beside.slips.find(SITE)).wifiPassword, null);
  await admin.post('/sites/1/slip', SLIP);
  await admin.post('/sites/1/slip', { ...SLIP, 'wifi-security': 'open', 'wifi-password': '' });
  assert.equal((await service.beside.slips.find(SITE)).wifiPassword, null);
});

test('invalid input is reported at its field, the form keeps all but the password, and nothing is stored', async () => {
  const before = await service.beside.slips.find(SITE);
  const faulty = {
    'wifi-name': 'ä'.repeat(17),
    'wifi-security': 'wpa',
    'wifi-password': 'kurz',
    text: 'x'.repeat(301),
  };
  const { status, text } = await admin.post('/sites/1/slip', faulty);
  assert.equal(status, 422);
  for (const field of ['wifi-name', 'wifi-password', 'text'])
    assert.match(text, new RegExp(`id="${field}-error"`));
  assert.ok(text.includes('ä'.repeat(17)) && text.includes('x'.repeat(301)) && !text.includes('kurz'));
  assert.deepEqual(await service.beside.slips.find(SITE), before);
});

test('a password for an open Wi-Fi is reported instead of being dropped', async () => {
  const before = await service.beside.slips.find(SITE);
  const fields = { ...SLIP, 'wifi-security': 'open', 'wifi-password': 'nicht verlieren' };
  const { status, text } = await admin.post('/sites/1/slip', fields);
  assert.equal(status, 422);
  assert.match(text, /id="wifi-password-error">Ein offenes WLAN hat kein Passwort/);
  assert.doesNotMatch(text, /for-wpa/, 'the field with the error is visible');
  assert.deepEqual(await service.beside.slips.find(SITE), before);
});

test('a single voucher, a batch and a selection are printed in the requested order', async () => {
  const { batch, ids, code } = await make('Feier', { count: '4' });
  const codesOn = async (query: string) =>
    found((await operator.get(`/vouchers/print?${query}`)).text, /class="code [^>]*>([\d-]+)</g);
  assert.deepEqual(await codesOn(asked(ids.slice(1, 2))), [code(1)]);
  assert.deepEqual(await codesOn(`batch=${batch}`), [code(0), code(1), code(2), code(3)]);
  assert.deepEqual(await codesOn(asked([ids[3], ids[0], ids[3]])), [code(3), code(0)]);
  assert.deepEqual(await codesOn(`${asked([ids[2]])}&paper=receipt`), [code(2)]);
});

test('the print page says how much paper it takes; the PDF is named after what it contains', async () => {
  const { batch, ids } = await make('Fest im Grünen', { count: '12' });
  const { text } = await operator.get(`/vouchers/print?batch=${batch}&paper=a4`);
  const pages = found(text, /(class="page sheet")/g).length;
  assert.ok(pages > 1 && text.includes(`>12 Voucher auf ${pages} Seiten<`), `${pages} pages`);
  assert.match(
    (await operator.get(`/vouchers/print?${asked(ids.slice(0, 1))}`)).text,
    />1 Voucher auf 1 Seite</,
  );
  assert.match((await operator.get(`/vouchers/print?batch=${batch}&paper=receipt`)).text, />12 Voucher</);
  const nameOf = async (query: string) =>
    (await admin.get(`/vouchers/pdf?${query}`)).headers.get('content-disposition') ?? '';
  assert.match(
    await nameOf(`batch=${batch}`),
    /^attachment; filename="Demo_Fest-im-Gruenen_\d{4}-\d\d-\d\d\.pdf"; filename\*=UTF-8''Demo_Fest-im-Gr%C3%BCnen_[\d-]+\.pdf$/,
  );
  const foreign = await make('Anderswo', { site: String(elsewhere) });
  assert.match(await nameOf(asked([ids[0], ...foreign.ids])), /filename="Gastpass_2-Voucher_[\d-]+\.pdf"$/);
});

test('every print page and every PDF leaves an audit entry with the vouchers', async () => {
  const { batch, ids } = await make('Messe', { count: '25' });
  const newest = (action = 'voucher.printed') =>
    service.rows(`select subject from audit where action = '${action}' order by id desc limit 1`)[0]?.subject;
  await operator.get(`/vouchers/print?${asked(ids.slice(0, 2))}`);
  assert.equal(newest(), `vouchers ${ids[0]}, ${ids[1]}`);
  await operator.get(`/vouchers/pdf?${asked(ids)}`);
  assert.equal(newest('voucher.saved'), `vouchers ${ids.slice(0, 20).join(', ')} and 5 more`);
  await operator.get(`/vouchers/print?batch=${batch}`);
  assert.match(String(newest()), new RegExp(`^batch ${batch} of site 1 \\(.+\\): 25 vouchers, Messe$`));
});

test('switching the paper of a print page leaves no further audit entry', async () => {
  const { batch, ids } = await make('Papier', { count: '2' });
  const count = () =>
    Number(service.rows(`select count(*) as n from audit where action = 'voucher.printed'`)[0]?.n);
  const open = async (client: WebClient, query: string) => {
    const before = count();
    assert.equal((await client.get(`/vouchers/print?${query}`)).status, 200);
    return count() - before;
  };
  assert.equal(await open(operator, `batch=${batch}`), 1);
  assert.equal(await open(operator, `batch=${batch}&paper=receipt`), 0);
  assert.equal(await open(operator, `batch=${batch}&paper=a4`), 0);
  assert.equal(await open(operator, `${asked(ids.slice(0, 1))}&paper=a4`), 1, 'other vouchers');
  assert.equal(await open(operator, `batch=${batch}&paper=receipt`), 0, 'also after other vouchers');
  assert.equal(await open(admin, `batch=${batch}&paper=a4`), 1, 'another user');
  assert.equal(await open(operator, `batch=${batch}`), 1, 'opened again');
  service.change("update audit set at_ms = at_ms - 7200000 where action = 'voucher.printed'");
  assert.equal(await open(operator, `batch=${batch}&paper=a4`), 1, 'hours later');
  const { ids: many } = await make('Viel Papier', { count: '22' });
  for (const paper of ['a4', 'receipt'])
    assert.equal(await open(operator, `${asked(many)}&paper=${paper}`), 1, 'more than the entry names');
});

test('slips of a site share one Wi-Fi QR code; without Wi-Fi each slip has a QR code of its voucher', async () => {
  const { ids } = await make('Drei', { count: '3' });
  const drawings = async () =>
    found((await operator.get(`/vouchers/print?${asked(ids)}`)).text, /<symbol id="(qr-\d+)"/g);
  assert.equal((await drawings()).length, 1);
  await admin.post('/sites/1/slip', { ...SLIP, 'wifi-name': '' });
  assert.equal((await drawings()).length, 3);
});

test('a request that includes an unknown voucher or a voucher of another site gets 404', async () => {
  const { ids } = await make('Hier');
  const foreign = await make('Dort', { site: String(elsewhere) });
  const wrong = [...foreign.ids, 999_999, '999999999999999', 'abc', '1e3', '-1', ''];
  for (const path of ['print', 'pdf']) {
    for (const id of wrong)
      assert.equal(
        (await operator.get(`/vouchers/${path}?${asked([...ids, id])}`)).status,
        404,
        `${path} ${id}`,
      );
    for (const batch of [foreign.batch, 'nowhere'])
      assert.equal((await operator.get(`/vouchers/${path}?batch=${batch}`)).status, 404, path);
  }
  assert.equal((await admin.get(`/vouchers/print?${asked([...ids, ...foreign.ids])}`)).status, 200);
});

test('an empty or too large selection is reported, not printed', async () => {
  const many = Array.from({ length: 501 }, (_, index) => index + 1);
  for (const path of ['print', 'pdf']) {
    assert.match((await operator.get(`/vouchers/${path}`)).text, /Nichts zum Drucken/);
    const { status, text } = await operator.get(`/vouchers/${path}?${asked(many)}`);
    assert.equal(status, 422);
    assert.match(text, /Höchstens 500/);
  }
});

test('ended vouchers are left out, and the page says so in the words of their states', async () => {
  const { ids, code } = await make('Ende', { count: '5' });
  service.change(`update vouchers set ended_at_s = 1 where id = ${ids[0]}`);
  service.change(`update vouchers set ended_at_s = 5, revoked_at_s = 5 where id in (${ids[1]}, ${ids[2]})`);
  service.change(`update vouchers set used_count = 1, first_used_at_s = 1 where id = ${ids[3]}`);
  const { text } = await operator.get(`/vouchers/print?${asked(ids)}`);
  assert.ok(!text.includes(code(0)) && text.includes(code(4)));
  assert.match(text, /nicht dabei: 1 abgelaufen, 2 widerrufen, 1 extern gelöscht\./);
  const english = await operator.get(`/vouchers/print?${asked(ids)}`, { 'accept-language': 'en' });
  assert.match(english.text, /left out: 1 expired, 2 revoked, 1 deleted outside\./);
  const pdf = await operator.get(`/vouchers/pdf?${asked(ids.slice(1, 3))}`);
  assert.equal(pdf.status, 422);
  assert.match(pdf.text, /nicht dabei: 2 widerrufen\./);
});

test('the print page warns of slips that do not name the Wi-Fi, unless the site is a demo', async () => {
  const site = await service.addSite('default', 'Haus C');
  const { ids } = await make('Ohne Netz', { site: String(site) });
  const page = async (client: WebClient) => (await client.get(`/vouchers/print?${asked(ids)}`)).text;
  const warning = 'Auf den Zetteln von „Haus C“ steht nicht, wie das WLAN heißt.';
  assert.equal((await page(admin)).includes(warning), false, 'a demo opens no Wi-Fi');
  // Printing does not call the controller.
  service.change(`update sites set controller_kind = 'unifi' where id = ${site}`);
  assert.ok(
    (await page(admin)).includes(`${warning} <a href="/sites/${site}/slip">WLAN-Namen eintragen</a>`),
  );
  const id = await addUser(service, 'haus-c@example.org', 'operator');
  service.change(`insert into user_sites (user_id, site_id) values (${id}, ${site})`);
  const text = await page(await loggedIn(service, 'haus-c@example.org'));
  assert.ok(text.includes(`${warning} Die Verwaltung kann den Namen eintragen.`));
  await admin.post(`/sites/${site}/slip`, SLIP);
  assert.equal((await page(admin)).includes(warning), false);
  service.change(`update sites set active = 0 where id = ${site}`);
});

test('slips are in the languages of the site, whoever prints them', async () => {
  const { ids } = await make('Sprache', { down: '10' });
  const parts = {
    de: ['Mit dem WLAN verbinden', 'Passwort', '1 Gerät, 8 Stunden', 'Den Code eingeben'],
    en: [
      'Scan to join',
      'Password',
      '1 device, 8 hours from first use, ↓\u00a010\u00a0Mbit/s',
      'Enter the code',
    ],
  };
  for (const [languages, own, other] of [
    ['', parts.de, parts.en],
    ['en', parts.en, parts.de],
    ['de en', [...parts.de, ...parts.en], []],
  ] as const) {
    await admin.post('/sites/1/slip', { ...SLIP, languages });
    const { text } = await operator.get(`/vouchers/print?${asked(ids)}`, { 'accept-language': 'en' });
    const [, paper = ''] = text.split('class="paper"');
    for (const part of own) assert.ok(paper.includes(part), `${languages}: ${part}`);
    for (const part of other) assert.ok(!paper.includes(part), `${languages}: ${part}`);
  }
  await admin.post('/sites/1/slip', { ...SLIP, languages: '' });
  await admin.post('/settings', { title: 'Gastpass', language: 'en', 'api-page': 'open' });
  assert.match((await operator.get(`/vouchers/print?${asked(ids)}`)).text, /Enter the code/);
  await admin.post('/settings', { title: 'Gastpass', language: 'auto', 'api-page': 'open' });
});

test('steps are stored only if they differ from the default, and can be switched off', async () => {
  const named = 'Mit WLAN „{wifi}“ verbinden\r\nBeliebige Internetseite öffnen\r\nDen Code eingeben';
  const steps = async () => (await service.beside.slips.find(SITE)).steps;
  await admin.post('/sites/1/slip', { ...SLIP, 'steps-de': named });
  assert.equal(await steps(), undefined);
  await admin.post('/sites/1/slip', { ...SLIP, 'steps-de': ' Netz {wifi} wählen\r\n\r\nSurfen ' });
  assert.deepEqual(await steps(), { de: 'Netz {wifi} wählen\nSurfen' });
  const { ids } = await make('Schritte');
  const print = async () => (await operator.get(`/vouchers/print?${asked(ids)}`)).text;
  assert.match(await print(), />Netz Gäste; &quot;WLAN&quot; wählen</);
  const unnamed = await admin.post('/sites/1/slip', {
    ...SLIP,
    'wifi-name': '',
    'steps-de': 'Netz {wifi} wählen',
  });
  assert.equal(unnamed.status, 422);
  assert.match(unnamed.text, /id="steps-de-error">Ohne WLAN-Namen/);
  await admin.post('/sites/1/slip', { ...SLIP, 'steps-de': '' });
  assert.deepEqual(await steps(), { de: '' });
  assert.doesNotMatch(await print(), /class="steps/);
  await admin.post('/sites/1/slip', { ...SLIP, 'steps-de': named });
});

test('the preview shows the form as it was typed, on the chosen paper, and saves nothing', async () => {
  const before = await service.beside.slips.find(SITE);
  const typed = { ...SLIP, 'wifi-name': 'Neu hier', 'steps-de': 'Nur ein Schritt', paper: 'receipt-58' };
  const { status, text } = await admin.post('/sites/1/slip/preview', typed);
  assert.equal(status, 200);
  const [, preview = ''] = text.split('id="preview"');
  assert.match(preview, /width="58mm".*>Nur ein Schritt</s);
  assert.match(preview, /Ein Zettel ist \d+ mm lang/);
  assert.ok(preview.includes('••••••••') && !text.includes(PASSWORD));
  assert.match(text, /value="receipt-58" checked/);
  assert.match(text, /das Passwort vor dem Speichern noch einmal/);
  const faulty = await admin.post('/sites/1/slip/preview', { ...typed, 'wifi-name': 'x'.repeat(9_000) });
  assert.match(faulty.text, /id="wifi-name-error"/);
  assert.deepEqual(await service.beside.slips.find(SITE), before);
  assert.match(
    (await admin.post('/sites/1/slip/preview', { ...SLIP, paper: 'labels-21' })).text,
    /Es fehlt: .*Schritte/,
  );
});

test('a device keeps the paper that was chosen last, and an unknown paper is ignored', async () => {
  const { ids } = await make('Papier');
  const desk = await loggedIn(service, 'theke@example.org');
  const widthOn = async (query: string) =>
    found((await desk.get(`/vouchers/print?${asked(ids)}${query}`)).text, /<svg [^>]*width="([\d.]+)mm"/g)[0];
  assert.equal(await widthOn(''), '210');
  assert.equal(await widthOn('&paper=receipt-58'), '58');
  assert.equal(desk.cookies.get('gastpass-paper'), 'receipt-58');
  assert.equal(await widthOn(''), '58');
  assert.equal(await widthOn('&paper=nothing'), '58');
  assert.equal(await widthOn('&paper=receipt'), '80');
  desk.cookies.set('gastpass-paper', 'nothing');
  assert.equal(await widthOn(''), '210');
});

test('the pages of a roll are as high as their slips; other sizes have no stylesheet', async () => {
  const { ids } = await make('Rolle');
  const { text } = await operator.get(`/vouchers/print?${asked(ids)}&paper=receipt`);
  const [path = ''] = found(text, /href="(\/assets\/roll\/[^"]+)"/g);
  const height = /height="(\d+)mm"/.exec(text)?.[1];
  assert.equal(path, `/assets/roll/80/${height}.css`);
  const sheet = await operator.get(path);
  assert.equal(sheet.headers.get('cache-control'), 'public, max-age=604800', 'its URL has no version');
  assert.match(sheet.text, new RegExp(`@page high-${height} { size: 80mm ${height}mm; margin: 0 }`));
  for (const wrong of [
    '/assets/roll/80/0.css',
    '/assets/roll/80/9-.css',
    '/assets/roll/x/9.css',
    '/assets/roll/80/9999.css',
  ])
    assert.equal((await operator.get(wrong)).status, 404, wrong);
});

test('a site with the name of the installation is named once', async () => {
  const { ids } = await make('Einmal');
  const names = async () =>
    found(
      (await operator.get(`/vouchers/print?${asked(ids)}`)).text,
      /class="(?:title|site) [^>]*>([^<]+)</g,
    );
  const [title, site] = await names();
  assert.ok(title && site);
  await admin.post('/settings', { title: site.toUpperCase(), language: 'auto', 'api-page': 'open' });
  assert.deepEqual(await names(), [site]);
  await admin.post('/settings', { title: 'Gastpass', language: 'auto', 'api-page': 'open' });
});

test('HTML in the Wi-Fi name and in the text stays text on slips and in the form', async () => {
  const hostile = '<script>alert(1)</script>';
  await admin.post('/sites/1/slip', { ...SLIP, 'wifi-name': hostile, text: `</textarea>${hostile}` });
  const { ids } = await make('Boese');
  for (const path of ['/sites/1/slip', `/vouchers/print?${asked(ids)}`]) {
    const { text } = await admin.get(path);
    assert.ok(text.includes('&lt;script&gt;alert(1)'), path);
    assert.doesNotMatch(text, /<script>alert/);
  }
});

test('the pages of a batch and of a voucher show one QR code at a time: first the Wi-Fi, then the voucher code', async () => {
  const { batch, ids } = await make('Ergebnis');
  for (const path of [`/batches/${batch}`, `/vouchers/${ids[0]}`])
    for (const [query, label] of [
      ['', 'Mit dem WLAN verbinden'],
      ['?qr=code', 'Code eingeben'],
    ])
      assert.deepEqual(
        found((await operator.get(path + query)).text, /<svg class="qr"[^>]*aria-label="([^"]*)"/g),
        [label],
        path,
      );
});
