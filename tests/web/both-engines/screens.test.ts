// Tests the administrators' pages for screens: adding, pairing, the addresses of a rolling code, terms, and the picture
// of a site.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { PAIRING_MS } from '../../../src/features/screens/screen.ts';
import { asScreenId, asSiteId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { pairDevice } from '../../support/added-screen.ts';
import { makePng } from '../../support/pictures.ts';
import { setupMail } from '../../support/setup-mail.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

const PAIRING_CODE = /class="pairing-code"><code>([A-Z\d]{4}-[A-Z\d]{4})</;
const LIMITS = { maxUses: 1, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };

let service: TestService;
let admin: WebClient;
let profile: string;
before(async () => {
  service = await startTestService();
  await addUser(service, 'ada@example.org', 'admin');
  admin = await loggedIn(service, 'ada@example.org');
  const audit = { actor: TESTER, atMs: 1 };
  profile = String(await service.beside.profiles.add({ name: 'Stunde', ...LIMITS, siteIds: [] }, audit));
});
after(() => service.stop());

const codeIn = (text: string) => PAIRING_CODE.exec(text)?.[1] ?? assert.fail('no pairing code');
const newest = async () => {
  const all = await service.beside.screens.list();
  return all.toSorted((one, other) => other.id - one.id)[0] ?? assert.fail('no screen');
};
const addScreen = async (fields: Record<string, string>) => {
  const { status, text } = await admin.post('/screens/add', { kind: 'kiosk', site: '1', ...fields });
  assert.equal(status, 200, text);
  return { code: codeIn(text), text, screen: await newest() };
};

test('the empty list explains both kinds', async () => {
  const { text } = await admin.get('/screens');
  assert.match(text, /href="\/screens\/add\?kind=kiosk"/);
  assert.match(text, /href="\/screens\/add\?kind=rolling"/);
});

test('a new kiosk shows its pairing code once, and the page follows the device', async () => {
  const fields = { name: 'Lobby', offers: 'both', profile, ask: 'room', 'per-minute': '3', 'per-day': '40' };
  const { code, text, screen } = await addScreen({ ...fields, terms: 'Seid nett.' });
  assert.partialDeepStrictEqual(screen, {
    name: 'Lobby',
    kind: 'kiosk',
    offers: 'both',
    asks: ['room'],
    perMinute: 3,
    perDay: 40,
    printerId: null,
  });
  assert.deepEqual(screen.profileIds.map(String), [profile]);
  assert.match(text, new RegExp(`data-source="/screens/${screen.id}/pairing"`));
  const waiting = await admin.get(`/screens/${screen.id}/pairing`);
  assert.ok(!waiting.text.includes(code));
  assert.match(waiting.text, /data-refresh/);
  await pairDevice(service.url, code);
  const paired = await admin.get(`/screens/${screen.id}/pairing`);
  assert.match(paired.text, /class="is-paired"/);
  assert.doesNotMatch(paired.text, /data-refresh/);
  assert.match((await admin.get(`/screens/${screen.id}`)).text, /class="pill valid"/);
});

test('a faulty form keeps what was typed and creates nothing', async () => {
  const before = (await service.beside.screens.list()).length;
  const { status, text } = await admin.post('/screens/add', {
    kind: 'kiosk',
    site: '1',
    name: ' ',
    profile: '999',
    ask: 'email',
    'per-minute': '0',
    'per-day': '99999',
    printer: '7',
    terms: 'Meine Bedingungen',
  });
  assert.equal(status, 422);
  for (const field of ['name', 'profile', 'ask', 'per-minute', 'per-day', 'printer'])
    assert.ok(text.includes(`id="${field}-error"`), field);
  assert.match(text, /Meine Bedingungen/);
  assert.match(text, /href="\/settings\/e-mail"/);
  assert.equal((await service.beside.screens.list()).length, before);
  assert.equal((await admin.post('/screens/add', { kind: 'x', site: '1', name: 'Bar' })).status, 200);
  assert.equal((await service.beside.screens.list()).length, before);
});

test('the e-mail address can be asked for once there is a mail server', async () => {
  const { screen } = await addScreen({ name: 'Theke' });
  const fields = { name: 'Theke', offers: 'vouchers', ask: 'email', 'per-minute': '10', 'per-day': '200' };
  assert.equal((await admin.post(`/screens/${screen.id}/edit`, fields)).status, 422);
  await setupMail(service);
  assert.equal((await admin.post(`/screens/${screen.id}/edit`, fields)).location, `/screens/${screen.id}`);
  assert.deepEqual((await service.beside.screens.find(screen.id))?.asks, ['email']);
});

test('a new code replaces an expired one, and unpairing needs a confirmation', async () => {
  const { code, screen } = await addScreen({ name: 'Foyer' });
  const path = `/screens/${screen.id}/pairing`;
  service.change(
    'update screens set pairing_until_ms = pairing_until_ms - ? where id = ?',
    2 * PAIRING_MS,
    screen.id,
  );
  assert.match((await admin.get(path)).text, /class="is-over"/);
  const renewed = codeIn((await admin.post(path, {})).text);
  assert.notEqual(renewed, code);
  await pairDevice(service.url, renewed);
  assert.match((await admin.get(`/screens/${screen.id}/unpair`)).text, /Foyer/);
  await admin.post(`/screens/${screen.id}/unpair`, {});
  assert.equal((await service.beside.screens.find(screen.id))?.pairedAtMs, null);
});

test('a rolling code has four secret addresses, which can be renewed; a kiosk has none', async () => {
  const { text, screen } = await addScreen({ kind: 'rolling', name: 'Bar', idle: '60', profile: '' });
  assert.equal(screen.idleMinutes, 60);
  const addresses = (page: string) => [...page.matchAll(/\/rolling\/([\w-]+)\.(json|svg|png|txt)</g)];
  assert.deepEqual(addresses(text), []);
  const shown = addresses((await admin.post(`/screens/${screen.id}/path`, {})).text);
  assert.equal(
    service.rows('select action from audit order by id desc limit 1')[0]?.action,
    'screen.path-shown',
  );
  assert.deepEqual(
    shown.map(([, , format]) => format),
    ['json', 'svg', 'png', 'txt'],
  );
  assert.equal(new Set(shown.map(([, token]) => token)).size, 1);
  const renewed = addresses((await admin.post(`/screens/${screen.id}/path/renew`, {})).text);
  assert.notEqual(renewed[0]?.[1], shown[0]?.[1]);
  assert.equal(renewed[0]?.[1], await service.beside.screens.findToken(screen.id));
  const { screen: kiosk } = await addScreen({ name: 'Kiosk' });
  assert.equal((await admin.post(`/screens/${kiosk.id}/path`, {})).status, 404);
  assert.equal((await admin.get(`/screens/${screen.id}/terms`)).status, 404);
});

test('every change of the terms makes a version that stays readable', async () => {
  const { screen } = await addScreen({ name: 'Empfang' });
  const path = `/screens/${screen.id}/terms`;
  for (const terms of ['Erste Fassung', 'Zweite Fassung', 'Zweite Fassung'])
    assert.equal((await admin.post(path, { terms })).location, path);
  const { text } = await admin.get(path);
  assert.match(text, /Erste Fassung/);
  assert.ok(text.includes(hash('sha256', 'Zweite Fassung')));
  assert.equal(text.match(/class="hash"/g)?.length, 2);
  assert.equal((await admin.post(path, { terms: 'x'.repeat(20_001) })).status, 422);
  assert.equal((await admin.post(path, { terms: '' })).location, path);
  assert.equal((await service.beside.screens.find(screen.id))?.termsId, null);
});

test('the picture of a site is checked, shown and removed', async () => {
  assert.equal((await admin.post('/sites/1/picture', {})).status, 422);
  const audit = { actor: TESTER, atMs: 1 };
  const image = { type: 'image/png', bytes: makePng() } as const;
  await service.beside.images.save(`screen-${asSiteId(1)}`, image, audit);
  assert.match((await admin.get('/sites/1/picture')).text, /src="\/sites\/1\/picture-image\?v=/);
  assert.equal((await admin.get('/sites/1/picture-image')).headers.get('content-type'), 'image/png');
  await admin.post('/sites/1/picture/remove', {});
  assert.equal((await admin.get('/sites/1/picture-image')).status, 404);
});

test('the list shows each screen with its state, and a removed one is gone', async () => {
  const { screen } = await addScreen({ name: 'Garage' });
  assert.match((await admin.get('/screens')).text, /Garage/);
  await admin.post(`/screens/${screen.id}/remove`, {});
  assert.doesNotMatch((await admin.get('/screens')).text, /Garage/);
  assert.equal((await admin.get(`/screens/${screen.id}`)).status, 404);
  assert.equal((await admin.get(`/screens/${asScreenId(99_999)}`)).status, 404);
});
