// The guest's own page in a real browser: staff make a link, a guest opens it on a phone, with the longest texts, in
// both languages and themes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GUEST_LINK_TEXTS, GUEST_PAGE_TEXTS } from '../../src/features/guest-pages/guest-page-texts.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import { TESTER } from '../support/actors.ts';
import { makePng } from '../support/pictures.ts';
import { violationsOf } from './axe.ts';
import { type Desk, follow, makeVouchers, setupDesk, WORDS } from './desk.ts';
import { layoutFaultsOf, WIDTHS } from './layout.ts';

const { de } = WORDS;
const SITE = asSiteId(1);
const audit = { actor: TESTER, atMs: 1 };
/** The longest values that the slip designer accepts. */
const SLIP = {
  wifiName: 'W'.repeat(32),
  wifiSecurity: 'wpa',
  wifiPassword: 'M'.repeat(63),
  text: 'Frühstück von 7 bis 10 Uhr.\nHilfe: Telefon 9',
} as const;

let desk: Desk;
before(async () => {
  desk = await setupDesk({ environment: { PUBLIC_URL: 'https://wlan.example.org' } });
  const { sites, slips, images } = desk.service.beside;
  await sites.change(SITE, { hasGuestPage: true, name: 'Donaudampfschifffahrtsgesellschaftshotel' }, audit);
  await slips.save(SITE, SLIP, audit);
  await images.save(`site-${SITE}`, { type: 'image/png', bytes: makePng(600, 100) }, audit);
});
after(() => desk.close());

test('without JavaScript, staff make a link and a guest finds code, Wi-Fi and steps in the own language', async () => {
  const options = { javaScriptEnabled: false };
  const staff = await desk.openLoggedIn({ size: 'phone', options });
  await makeVouchers(staff, 'Frau Geheim');
  const code = await staff.locator('.hero .code').first().innerText();
  assert.equal(await staff.locator('.qr').count(), 1);
  await follow(staff.getByRole('link', { name: de.result.qrNames.code, exact: true }), /qr=code/);
  await follow(staff.getByRole('button', { name: GUEST_LINK_TEXTS.de.make }), /qr=link/);
  assert.equal(await staff.locator('.qr').count(), 1);
  const url = new URL(await staff.locator('.qr-choice code').innerText());
  assert.equal(url.origin, 'https://wlan.example.org');

  const guest = await desk.open({ language: 'en', size: 'phone', options });
  await guest.goto(url.pathname);
  await guest.getByText(GUEST_PAGE_TEXTS.en.title).first().waitFor();
  assert.equal(await guest.locator('.hero .code').innerText(), code);
  await follow(guest.getByRole('link', { name: de.language }), /lang=de/);
  await guest.getByText(GUEST_PAGE_TEXTS.de.steps).waitFor();
  await follow(guest.getByRole('link', { name: de.result.qrNames.code, exact: true }), /lang=de&qr=code/);
  assert.equal(await guest.locator('.qr').count(), 1);
  assert.equal(await guest.getByText('Frau Geheim').count(), 0);
  assert.deepEqual(await guest.context().cookies(), []);
  for (const page of [staff, guest]) await page.context().close();
});

test('the page fits every screen, is accessible in both themes, and copies the code', async () => {
  const staff = await desk.openLoggedIn({ options: { reducedMotion: 'reduce' } });
  await makeVouchers(staff, 'Breite');
  await follow(staff.getByRole('button', { name: GUEST_LINK_TEXTS.de.make }), /qr=link/);
  assert.deepEqual(await violationsOf(staff), []);
  const url = new URL(await staff.locator('.qr-choice code').innerText());
  const permissions = ['clipboard-read', 'clipboard-write'];
  const guest = await desk.open({ options: { permissions, reducedMotion: 'reduce' } });
  for (const path of [url.pathname, `${url.pathname}?lang=en&qr=code`, '/g/unknown']) {
    await guest.goto(path);
    assert.deepEqual(await violationsOf(guest), [], path);
    for (const width of WIDTHS) {
      await guest.setViewportSize({ width, height: 800 });
      assert.deepEqual(await layoutFaultsOf(guest), [], `${path} at ${width} px`);
    }
  }
  await guest.goto(url.pathname);
  await guest.getByRole('button', { name: GUEST_PAGE_TEXTS.de.copyCode }).click();
  await guest.getByText(GUEST_PAGE_TEXTS.de.copied).waitFor();
  const copied = await guest.evaluate('navigator.clipboard.readText()');
  assert.equal(copied, await guest.locator('.hero .code').innerText());
  for (const page of [staff, guest]) await page.context().close();
});
