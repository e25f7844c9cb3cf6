// Tests what guests get at a kiosk: a voucher with what the screen asks for, in their language, and a result that is
// shown once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { FIRST_SLIP } from '../../../src/kernel/slips/slip.ts';
import { samplePrinter } from '../../storage/samples.ts';
import { TESTER } from '../../support/actors.ts';
import { hiddenFieldsOf, type Kiosk, openKiosk } from '../../support/kiosk.ts';
import { makePng } from '../../support/pictures.ts';
import { setupMail } from '../../support/setup-mail.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';

const SITE = asSiteId(1);
const siteId = SITE;
let service: TestService;
let kiosk: Kiosk;
before(async () => {
  service = await startTestService({ webhook: true });
  kiosk = await openKiosk(service, { siteId, name: 'Lobby' });
});
after(() => service.stop());

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });
const vouchers = () => service.rows('select * from vouchers order by id');
const newest = () => vouchers().at(-1);
const codeIn = (text: string) => /class="code entered">([\d-]+)</.exec(text)?.[1]?.replace('-', '');

test('one tap makes a voucher of the screen, whose result is shown once and closes by itself', async () => {
  const start = await kiosk.send('/screen');
  assert.equal(start.status, 200);
  assert.match(start.text, /Möchten Sie ins WLAN\?/);
  assert.match(start.text, /1 Gerät · 8 Stunden/);
  assert.match(start.text, /Demo – ohne WLAN/);
  assert.equal(start.headers.get('cache-control'), 'no-store');
  assert.match(start.headers.get('content-security-policy') ?? '', /default-src 'none'/);

  const ordered = await kiosk.order();
  assert.equal(ordered.status, 303);
  assert.match(ordered.location ?? '', /^\/screen\/done\/[0-9A-Za-z]{32}$/);
  const head = await kiosk.send(ordered.location ?? '', { method: 'HEAD' });
  assert.equal(head.location, '/screen', 'a HEAD request does not use up the result');
  const result = await kiosk.send(ordered.location ?? '');
  assert.equal(result.status, 200);
  assert.equal(result.headers.get('refresh'), '60;url=/screen');
  assert.equal(result.headers.get('cache-control'), 'no-store');
  const { code, name, source, screen_id, max_uses, expire_minutes } = newest() ?? {};
  assert.equal(codeIn(result.text), code);
  assert.match(String(name), /^\d{4}-\d\d-\d\d_Lobby$/);
  assert.deepEqual(
    [source, Number(screen_id), Number(max_uses), Number(expire_minutes)],
    ['Screen: Lobby', kiosk.id, 1, 480],
  );
  const again = await kiosk.send(ordered.location ?? '');
  assert.deepEqual([again.status, again.location], [303, '/screen']);
  const [event] = service.rows('select * from outbox order by id desc limit 1');
  assert.partialDeepStrictEqual({ ...event }, { voucher_count: 1, source: 'Screen: Lobby' });
  const [entry] = service.rows("select actor from audit where action = 'voucher.created' order by id desc");
  assert.equal(entry?.actor, 'Screen: Lobby');
});

test('no link leads out of the screen', async () => {
  const result = await kiosk.take();
  for (const { text } of [await kiosk.send('/screen'), result, await kiosk.order({ profile: '99' })])
    for (const [, href] of text.matchAll(/<a [^>]*href="([^"]+)"/g))
      assert.match(href ?? '', /^(\/screen|#)/);
});

test('a form is accepted once: a second tap leads to the result of the first, and later to the start', async () => {
  const fields = { ...hiddenFieldsOf(await kiosk.send('/screen')), profile: 'standard' };
  const before = vouchers().length;
  const both = await Promise.all([kiosk.post(fields), kiosk.post(fields), kiosk.post(fields)]);
  assert.equal(vouchers().length, before + 1);
  const [first] = both;
  const pathOf = (location: string | null | undefined) => location?.split('?')[0];
  for (const { status, location } of both)
    assert.deepEqual([status, pathOf(location)], [303, pathOf(first?.location)]);
  assert.equal(codeIn((await kiosk.send(first?.location ?? '')).text), newest()?.code);
  let shown = await kiosk.send((await kiosk.post(fields)).location ?? '');
  // Another instance may be working on the first tap, so the page looks several times.
  for (let looks = 0; looks < 5; looks++) {
    assert.deepEqual([shown.status, codeIn(shown.text)], [200, undefined]);
    const [, next = ''] = /^1;url=(.+)$/.exec(shown.headers.get('refresh') ?? '') ?? [];
    shown = await kiosk.send(next);
  }
  assert.equal(shown.location, '/screen');
  assert.equal(vouchers().length, before + 1);
});

test('a form without the hidden fields is accepted', async () => {
  const before = vouchers().length;
  const { location } = await kiosk.post({ profile: 'standard' });
  assert.match(location ?? '', /^\/screen\/done\//);
  assert.equal(vouchers().length, before + 1);
});

test('guests choose among the profiles of the screen, in its sequence, and no others', async () => {
  const limits = { downKbps: 0, upKbps: 0, quotaMb: 0, siteIds: [] };
  const add = (name: string, more: object = {}) =>
    service.beside.profiles.add({ name, maxUses: 3, expireMinutes: 1440, ...limits, ...more }, audit());
  const [week, day, other] = [await add('Woche', { nights: 7 }), await add('Ein Tag'), await add('Andere')];
  const bar = await openKiosk(service, { siteId, name: 'Bar', profileIds: [String(week), String(day)] });
  const { text } = await bar.send('/screen');
  assert.match(text, /Welchen Zugang möchten Sie\?/);
  assert.match(text, new RegExp(`value="${week}"><strong>Woche.*value="${day}"><strong>Ein Tag`, 's'));
  assert.match(text, /3 Geräte · bis Abreise nach 7 Nächten/);
  assert.match(text, /3 Geräte · 1 Tag/);
  assert.doesNotMatch(text, /Andere/);
  // The Enter key must not choose for the guest: the first button of the form does nothing.
  assert.match(text, /<button type="submit" disabled hidden><\/button>/);

  const before = vouchers().length;
  for (const profile of [String(other), 'standard', '', '1 or 1=1']) {
    const refused = await bar.order({ profile });
    assert.equal(refused.status, 422, profile);
    assert.match(refused.text, /Bitte tippen Sie auf einen Zugang\./);
  }
  assert.equal(vouchers().length, before);
  await bar.take({ profile: String(day) });
  assert.deepEqual([Number(newest()?.max_uses), Number(newest()?.expire_minutes)], [3, 1440]);
  assert.equal(Number(newest()?.profile_id), day);
  await bar.take({ profile: String(week) });
  assert.ok(Number(newest()?.ends_at_s) > service.clock.nowMs() / 1000 + 6 * 86_400);
});

test('asked fields are required, errors keep the input, and hostile input stays text', async () => {
  await setupMail(service);
  const printer = samplePrinter(SITE, { kind: 'cloudprnt', address: null });
  const printerId = String(await service.beside.printers.add(printer, null, audit()));
  const desk = await openKiosk(service, {
    siteId,
    name: 'Empfang',
    asks: ['name', 'email', 'room'],
    printerId,
  });
  const before = vouchers().length;
  const hostile = '"><script>alert(1)</script>';
  for (const [fields, error] of [
    [
      {},
      /Bitte geben Sie Ihren Namen ein\..*Bitte geben Sie Ihre E-Mail-Adresse ein\..*Bitte geben Sie Ihr Zimmer ein\./s,
    ],
    [{ name: 'Anna', email: 'anna', room: '12' }, /Das ist keine gültige E-Mail-Adresse/],
    [{ name: 'a\u202Eb', email: 'a@b.example', room: '12' }, /Bitte nur Buchstaben/],
    [{ name: 'x'.repeat(4_000), email: 'a@b.example', room: '1' }, /Bitte höchstens 100 Zeichen/],
    [{ name: hostile, email: hostile, room: hostile }, /&quot;&gt;&lt;script&gt;/],
  ] as const) {
    const refused = await desk.order(fields);
    assert.equal(refused.status, 422);
    assert.match(refused.text, error);
    assert.doesNotMatch(refused.text, /<script>alert/);
    if ('room' in fields && fields.room === '12') assert.match(refused.text, /name="room"[^>]*value="12"/);
  }
  assert.equal(vouchers().length, before);

  const result = await desk.take({ name: '<b>=Anna</b>', email: 'anna@example.org', room: '=12' });
  assert.match(result.text, /Der Code ist auch per E-Mail unterwegs\./);
  assert.match(result.text, /Ihr Zettel wird gedruckt\./);
  assert.doesNotMatch(result.text, /Anna|anna@/);
  const { id, name, note } = newest() ?? {};
  assert.match(String(name), /^\d{4}-\d\d-\d\d_<b>=Anna<\/b>$/);
  assert.equal(note, 'Zimmer: =12');
  const sent = service.rows(`select channel, state from messages where voucher_id = ${id} order by channel`);
  assert.deepEqual(
    sent.map(({ channel }) => channel),
    ['mail', 'printer'],
  );
});

test('guests choose among the languages of the site, and the next guest starts with the first', async () => {
  assert.match((await kiosk.send('/screen?lang=en')).text, /<html lang="en"/);
  const result = await kiosk.take({}, '?lang=en');
  assert.match(result.text, /Your Wi-Fi code/);
  assert.match((await kiosk.send('/screen')).text, /<html lang="de"/);
  // The language of the browser is that of the device, not of the guest.
  assert.match(
    (await kiosk.send('/screen', { headers: { 'accept-language': 'en' } })).text,
    /<html lang="de"/,
  );
  assert.match((await kiosk.send('/screen?lang=xx')).text, /<html lang="de"/);
  await service.beside.slips.save(SITE, { ...FIRST_SLIP, languages: ['en'] }, audit());
  const { text } = await kiosk.send('/screen?lang=de');
  assert.match(text, /<html lang="en"/);
  assert.doesNotMatch(text, /hreflang/);
  await service.beside.slips.save(SITE, FIRST_SLIP, audit());
});

test('the result shows the Wi-Fi, and the pages the colour, the logo and the picture of the site', async () => {
  const wifi = { wifiName: 'Seeblick', wifiSecurity: 'wpa', wifiPassword: 'am-wasser' } as const;
  await service.beside.slips.save(SITE, { ...FIRST_SLIP, ...wifi, colour: '#ffee00' }, audit());
  await service.beside.images.save(
    'site-1' as `site-${typeof SITE}`,
    { type: 'image/png', bytes: makePng() },
    audit(),
  );
  await service.beside.images.save(`screen-${SITE}`, { type: 'image/png', bytes: makePng(64, 64) }, audit());
  const { text } = await kiosk.take();
  assert.match(text, /Mit WLAN „Seeblick“ verbinden/);
  assert.match(text, /am-wasser/);
  assert.equal(text.match(/class="qr"/g)?.length, 2);
  for (const path of ['/screen/logo', '/screen/picture']) {
    assert.ok(text.includes(`src="${path}"`), path);
    const image = await kiosk.send(path);
    assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/png']);
    const etag = image.headers.get('etag') ?? '';
    assert.equal((await kiosk.send(path, { headers: { 'if-none-match': etag } })).status, 304);
    assert.equal(
      (await fetch(service.url + path, { redirect: 'manual' })).status,
      303,
      'only for the device',
    );
  }
  const css = await kiosk.send('/assets/colour/ffee00.css');
  assert.equal(css.text, ':root{--site:#ffee00;--site-ink:#000000}');
  assert.ok(text.includes('href="/assets/colour/ffee00.css"'));
  assert.equal((await kiosk.send('/assets/colour/zzzzzz.css')).status, 404);
  await service.beside.slips.save(SITE, FIRST_SLIP, audit());
});
