// Tests how guests ask the staff at a kiosk: the form, the page on which they wait, the code that is shown once, and
// what other devices and the next guest see of it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_ASKED } from '../../../src/features/requests/ask.ts';
import { asGuestRequestId, asScreenId, asSiteId } from '../../../src/kernel/ids.ts';
import { formatCode } from '../../../src/kernel/vouchers/voucher.ts';
import { makePathToken } from '../../../src/platform/secrets/token.ts';
import { TESTER } from '../../support/actors.ts';
import { hiddenFieldsOf, type Kiosk, openKiosk } from '../../support/kiosk.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

const siteId = asSiteId(1);
const FIELDS = { name: 'Frau Gast', host: 'Zimmer 12', note: 'bis Freitag' };

let service: TestService;
let admin: WebClient;
let kiosk: Kiosk;
before(async () => {
  service = await startTestService({ environment: { PUBLIC_URL: 'https://wlan.example' } });
  await addUser(service, 'anna@example.org', 'admin');
  admin = await loggedIn(service, 'anna@example.org');
  kiosk = await openKiosk(service, { siteId, name: 'Lobby', offers: 'requests' });
});
after(() => service.stop());

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });
const countVouchers = async () => Number((await service.rows('select count(*) as n from vouchers'))[0]?.n);
const countRequests = async () =>
  Number((await service.rows('select count(*) as n from guest_requests'))[0]?.n);
const newestId = async () =>
  asGuestRequestId(Number((await service.rows('select max(id) as id from guest_requests'))[0]?.id));

/** Sends the form of the device, and returns the path on which the guest waits. */
async function ask(device: Kiosk, fields: Record<string, string> = {}, at = '/screen'): Promise<string> {
  const form = await device.send(at);
  const sent = await device.post({ ...hiddenFieldsOf(form), ...FIELDS, ...fields });
  assert.equal(sent.status, 303, sent.text);
  assert.match(sent.location ?? '', /^\/screen\/request\/[0-9A-Za-z]{32}$/);
  return sent.location ?? '';
}

test('a guest asks, waits, and sees the code once as soon as staff approve', async () => {
  const start = await kiosk.send('/screen');
  assert.match(start.text, /WLAN-Zugang anfragen/);
  assert.doesNotMatch(start.text, /name="profile"/);
  const path = await ask(kiosk);
  const [row] = await service.rows('select * from guest_requests');
  assert.partialDeepStrictEqual({ ...row }, { ...FIELDS, state: 'waiting', screen_id: kiosk.id });

  const waiting = await kiosk.send(path);
  assert.equal(waiting.status, 200);
  assert.equal(waiting.headers.get('cache-control'), 'no-store');
  assert.match(waiting.text, /Ihre Anfrage ist angekommen/);
  assert.match(waiting.text, /<noscript><meta http-equiv="refresh" content="5">/);
  assert.doesNotMatch(waiting.text, /Frau Gast|Zimmer 12|bis Freitag/, 'others may look at the screen');

  await admin.post(`/requests/${await newestId()}/approve`, { profile: 'standard' });
  const [voucher] = await service.rows('select * from vouchers');
  const head = await kiosk.send(path, { method: 'HEAD' });
  assert.equal(head.status, 303, 'the script of the page sees that the request is decided');
  const decided = await kiosk.send(path);
  assert.match(decided.location ?? '', /^\/screen\/done\/[0-9A-Za-z]{32}$/);
  assert.equal(decided.location, head.location);
  const result = await kiosk.send(decided.location ?? '');
  assert.ok(result.text.includes(formatCode(String(voucher?.code))));
  assert.equal(result.headers.get('refresh'), '60;url=/screen');

  for (const again of [decided.location ?? '', path])
    assert.doesNotMatch((await followAll(kiosk, again)).text, new RegExp(String(voucher?.code).slice(0, 5)));
  assert.equal(await countVouchers(), 1);
});

/** Follows redirects, as a browser does when the next guest goes back. */
async function followAll(device: Kiosk, path: string) {
  let page = await device.send(path);
  for (let hops = 0; page.location && hops < 5; hops++) page = await device.send(page.location);
  return page;
}

test('a screen that only takes requests makes no voucher, whatever its device sends', async () => {
  const before = await countVouchers();
  for (const profile of ['standard', '1']) {
    const refused = await kiosk.post({ profile });
    assert.deepEqual([refused.status, refused.location], [303, '/screen']);
  }
  assert.equal(await countVouchers(), before);
});

test('a screen that only hands out vouchers takes no requests', async () => {
  const bar = await openKiosk(service, { siteId, name: 'Bar' });
  assert.doesNotMatch((await bar.send('/screen')).text, /\/screen\/request/);
  assert.equal((await bar.send('/screen/request')).location, '/screen');
  const before = await countRequests();
  const refused = await bar.post({ ...FIELDS, request: makePathToken().token });
  assert.deepEqual([refused.status, refused.location], [303, '/screen']);
  assert.equal(await countRequests(), before);
});

test('guests can choose between taking and asking, in their language, and must accept the terms', async () => {
  const hall = await openKiosk(service, { siteId, name: 'Halle', offers: 'both', terms: 'Seid nett.' });
  const start = await hall.send('/screen?lang=en');
  assert.match(start.text, /<button class="offer".*href="\/screen\/request\?lang=en"/s);
  const form = await hall.send('/screen/request?lang=en');
  assert.match(form.text, /<html lang="en".*Request Wi-Fi access.*Seid nett\./s);
  assert.match(form.text, /href="\/screen\?lang=en"[^>]*>Back</);
  const fields = { ...hiddenFieldsOf(form), ...FIELDS };
  const before = await countRequests();
  const refused = await hall.post(fields);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Please agree to the terms of use\..*value="Frau Gast"/s);
  const wrong = await hall.post({
    ...fields,
    name: ' ',
    terms: /name="terms" value="(\d+)"/.exec(form.text)?.[1] ?? '',
  });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /Please fill in this field\..*value="Zimmer 12".*checked/s);
  assert.equal(await countRequests(), before);

  const path = await ask(
    hall,
    { terms: /name="terms" value="(\d+)"/.exec(form.text)?.[1] ?? '' },
    '/screen/request?lang=en',
  );
  assert.match((await hall.send(path)).text, /<html lang="en".*We have received your request/s);
  await admin.post(`/requests/${await newestId()}/approve`, { profile: 'standard' });
  assert.match((await followAll(hall, path)).text, /<html lang="en".*Your Wi-Fi code/s);
  const [voucher] = await service.rows('select * from vouchers order by id desc');
  assert.ok(Number(voucher?.terms_id) > 0);
});

test('the guest reads why a request was declined, and the page closes by itself', async () => {
  const path = await ask(kiosk);
  await admin.post(`/requests/${await newestId()}/decline`, { reason: '<b>Heute</b> nicht' });
  const decided = await kiosk.send(path);
  assert.equal(decided.location, `${path}/decision`);
  const decision = await kiosk.send(`${path}/decision`);
  assert.match(decision.text, /Ihre Anfrage wurde abgelehnt.*&lt;b&gt;Heute&lt;\/b&gt; nicht/s);
  assert.equal(decision.headers.get('refresh'), '60;url=/screen');
});

test('after three minutes the screen is free for the next guest, also if the request is approved then', async () => {
  const path = await ask(kiosk);
  const id = await newestId();
  service.change(`update guest_requests set created_at_ms = created_at_ms - 181000 where id = ${id}`);
  assert.equal((await kiosk.send(path)).location, '/screen');
  await admin.post(`/requests/${id}/approve`, { profile: 'standard' });
  for (const late of [path, `${path}/decision`]) assert.equal((await kiosk.send(late)).location, '/screen');
});

test('another device, a device without a pairing and a wrong address see nothing of a request', async () => {
  const path = await ask(kiosk);
  const other = await openKiosk(service, { siteId, name: 'Andere', offers: 'requests' });
  for (const below of ['', '/decision']) {
    assert.equal((await other.send(path + below)).location, '/screen');
    const stranger = await fetch(service.url + path + below, { redirect: 'manual' });
    assert.deepEqual([stranger.status, stranger.headers.get('location')], [303, '/screen']);
    for (const wrong of [makePathToken().token, 'a', '%00', 'x'.repeat(5_000)])
      assert.notEqual((await kiosk.send(`/screen/request/${wrong}${below}`)).status, 200);
  }
});

test('with a public page, a QR code takes the request to the telephone of the guest', async () => {
  const page = makePathToken();
  const before = await ask(kiosk);
  assert.doesNotMatch((await kiosk.send(before)).text, /Auf dem Telefon verfolgen/);
  await service.beside.guestRequests.openPage(siteId, page, audit());
  const path = await ask(kiosk);
  assert.match((await kiosk.send(path)).text, /Auf dem Telefon verfolgen/);
  const phone = await fetch(`${service.url}/request/${page.token}/${path.split('/').at(-1)}`);
  assert.match(await phone.text(), /Ihre Anfrage ist angekommen|We have received your request/);
});

test('a form that is sent twice makes one request, and a device can ask only so often', async () => {
  const form = { ...hiddenFieldsOf(await kiosk.send('/screen')), ...FIELDS };
  const before = await countRequests();
  const [one, other] = await Promise.all([kiosk.post(form), kiosk.post(form)]);
  assert.equal(one.location, other.location);
  assert.equal(await countRequests(), before + 1);
  const sent = [];
  for (let count = 0; count < MAX_ASKED; count++)
    sent.push(await kiosk.post({ ...FIELDS, request: makePathToken().token }));
  const refused = sent.at(-1);
  assert.equal(refused?.status, 429);
  assert.match(refused?.text ?? '', /Gerade kommen sehr viele Anfragen\..*value="Frau Gast"/s);
});

test('what a newer release offers at a screen is not replaced by vouchers', async () => {
  const future = await openKiosk(service, { siteId, name: 'Neu' });
  const before = await countVouchers();
  service.change(`update screens set offers = 'payments' where id = ${asScreenId(future.id)}`);
  assert.equal((await future.send('/screen')).status, 503);
  assert.equal((await future.post({ profile: 'standard' })).location, '/screen');
  assert.equal(await countVouchers(), before);
});
