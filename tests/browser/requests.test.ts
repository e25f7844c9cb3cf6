// Stories of guests who ask for a voucher, in a real browser: on tablets and phones, with and without JavaScript, with
// the longest texts. The desk sees the requests come, and each guest sees the answer, without opening a page again.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { GUEST_REQUEST_TEXTS, REQUEST_TEXTS } from '../../src/features/requests/request-texts.ts';
import { KIOSK_TEXTS } from '../../src/features/screens/screen-texts.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import type { SiteSlip } from '../../src/kernel/slips/slip.ts';
import { makePathToken } from '../../src/platform/secrets/token.ts';
import { TESTER } from '../support/actors.ts';
import { openKiosk } from '../support/kiosk.ts';
import { makePng } from '../support/pictures.ts';
import { violationsOf } from './axe.ts';
import { type Desk, follow, setupDesk, WORDS } from './desk.ts';
import { layoutFaultsOf } from './layout.ts';
import { DEVICE_SIZES, keepPicture, openDevice, smallTargetsOf } from './screen-device.ts';

const SITE = asSiteId(1);
const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftshotel';
const GUEST = 'Maximiliane-Alexandra von Hohenzollern-S';
const NOTE = `Wir sind zu viert und bleiben bis Sonntag.\n${LONG_WORD.repeat(4)}`;
const REASON = 'Bitte kommen Sie mit Ihrem Ausweis an die Rezeption.';
const audit = { actor: TESTER, atMs: 1 };
/** Colours change at once, so that their contrast is the final one. */
const reducedMotion = 'reduce';
const { en } = WORDS;
/**
 * Each guest has a device of another size, with and without JavaScript. Only the pages with JavaScript are measured:
 * the others load themselves again meanwhile, and look the same.
 */
const GUESTS = DEVICE_SIZES.flatMap((viewport) =>
  [true, false].map((javaScriptEnabled) => ({ viewport, javaScriptEnabled })),
);

let desk: Desk;
let path: string;
before(async () => {
  desk = await setupDesk();
  const { sites, slips, images, profiles, guestRequests } = desk.service.beside;
  await sites.change(SITE, { name: `${LONG_WORD} am See` }, audit);
  await desk.service.addSite('default', 'Strandhaus');
  const slip = {
    wifiName: 'W'.repeat(32),
    wifiSecurity: 'wpa',
    wifiPassword: 'M'.repeat(63),
    text: '',
    languages: ['de', 'en'],
    colour: '#0a6b4f',
  } satisfies SiteSlip;
  await slips.save(SITE, slip, audit);
  await images.save(`site-${SITE}`, { type: 'image/png', bytes: makePng(600, 100) }, audit);
  const limits = { downKbps: 100_000, upKbps: 25_000, quotaMb: 1_048_576, siteIds: [] };
  for (const name of [LONG_WORD, 'Tagung'])
    await profiles.add({ name, maxUses: 5, expireMinutes: 2_880, ...limits }, audit);
  const page = makePathToken();
  await guestRequests.openPage(SITE, page, audit);
  path = `/request/${page.token}`;
});
after(() => desk.close());
beforeEach(() => desk.service.change('delete from guest_requests'));

async function ask(page: Page, name: string, language: 'de' | 'en' = 'de'): Promise<void> {
  const { fields, send, waiting } = GUEST_REQUEST_TEXTS[language];
  await page.getByLabel(fields.name.label).fill(name);
  await page.getByLabel(fields.host.label).fill(`Familie ${LONG_WORD}`);
  await page.getByLabel(fields.note.label).fill(NOTE);
  await page.getByRole('button', { name: send }).click();
  await page.getByRole('heading', { name: waiting }).waitFor();
}

async function assertFits(page: Page, name: string): Promise<void> {
  assert.deepEqual(await layoutFaultsOf(page), [], name);
  assert.deepEqual(await smallTargetsOf(page), [], name);
  await keepPicture(page, name);
}

/** Without JavaScript, some of the pages load themselves again while they would be measured. */
async function assertFitsDevices(page: Page, name: string, javaScriptEnabled: boolean): Promise<void> {
  if (!javaScriptEnabled) return;
  assert.deepEqual(await violationsOf(page), [], name);
  for (const viewport of DEVICE_SIZES) {
    await page.setViewportSize(viewport);
    await assertFits(page, `${name}-${viewport.width}`);
  }
}

test('six guests ask, the desk sees them come and decides, and every guest sees the answer by itself', async () => {
  const staff = await desk.openLoggedIn();
  await staff.goto('/requests');
  await staff.getByText(REQUEST_TEXTS.de.none).waitFor();
  await staff.evaluate('window.isSamePage = true');

  const guests = [];
  for (const [index, { viewport, javaScriptEnabled }] of GUESTS.entries()) {
    const page = await desk.open({ options: { viewport, javaScriptEnabled, reducedMotion } });
    const label = `request-${viewport.width}`;
    const name = `${GUEST} ${index}`;
    const isExamined = index === 0;
    await page.goto(path);
    if (javaScriptEnabled) await assertFits(page, `${label}-form`);
    if (isExamined) assert.deepEqual(await violationsOf(page), []);
    await follow(page.locator('.languages').getByText(en.language), /lang=en/);
    await ask(page, name, 'en');
    if (javaScriptEnabled) await assertFits(page, `${label}-waiting`);
    if (isExamined) assert.deepEqual(await violationsOf(page), []);
    guests.push({ page, name, label, javaScriptEnabled });
  }

  await staff.getByText(REQUEST_TEXTS.de.waitingCount(GUESTS.length)).waitFor();
  assert.equal(await staff.evaluate('window.isSamePage'), true);
  assert.match(await staff.locator('#menu-requests').innerText(), /^6\s/);
  const approved = guests.slice(1);
  for (const { name } of approved) {
    const request = staff.locator('#waiting-requests li').filter({ hasText: name });
    await request.locator('select').selectOption({ index: 1 });
    await follow(request.getByRole('button', { name: REQUEST_TEXTS.de.approveFor(name) }), '/requests');
  }
  const refused = guests[0] ?? assert.fail();
  const request = staff.locator('#waiting-requests li').filter({ hasText: refused.name });
  await request.getByText(REQUEST_TEXTS.de.decline, { exact: true }).click();
  await request.getByLabel(REQUEST_TEXTS.de.reason).fill(REASON);
  await follow(request.getByRole('button', { name: REQUEST_TEXTS.de.declineNow }), '/requests');
  await staff.getByText(REQUEST_TEXTS.de.none).waitFor();
  assert.equal(await staff.locator('#decided-requests li').count(), GUESTS.length);

  const codes = new Set(desk.service.rows('select code from vouchers').map(({ code }) => code));
  assert.equal(codes.size, approved.length);
  for (const { page, label, javaScriptEnabled } of approved) {
    const code = page.locator('.hero .code');
    await code.waitFor();
    assert.ok(codes.delete((await code.innerText()).replace('-', '')), `${label} shows its own code`);
    if (javaScriptEnabled) await assertFits(page, `${label}-approved`);
  }
  await refused.page.getByText(REASON).waitFor();
  assert.deepEqual(await violationsOf(refused.page), []);
  await assertFits(refused.page, `${refused.label}-declined`);
  await follow(refused.page.getByRole('link', { name: GUEST_REQUEST_TEXTS.en.again }), path);
  for (const { page } of [...guests, { page: staff }]) await page.context().close();
});

test('at a kiosk, guests ask, wait there, and see the code or the reason by themselves', async () => {
  const { service } = desk;
  const terms = `${LONG_WORD} `.repeat(200);
  const kiosk = await openKiosk(service, { siteId: SITE, name: 'Lobby', offers: 'both', terms });
  const staff = await desk.openLoggedIn();
  const { waiting, declined } = GUEST_REQUEST_TEXTS.de;
  for (const javaScriptEnabled of [true, false]) {
    service.clock.advance(60_000);
    const options = { javaScriptEnabled, reducedMotion } as const;
    const pages = [];
    for (const name of ['Ada', 'Ben']) {
      const page = await openDevice(desk, kiosk.cookie, { options });
      await follow(page.getByRole('link', { name: KIOSK_TEXTS.de.ask }), /\/screen\/request\?/);
      if (name === 'Ada') await assertFitsDevices(page, 'kiosk-ask', javaScriptEnabled);
      await page.getByLabel(KIOSK_TEXTS.de.agree).check();
      await ask(page, name);
      if (name === 'Ada') await assertFitsDevices(page, 'kiosk-waiting', javaScriptEnabled);
      pages.push(page);
    }
    const [ada, ben] = pages;
    assert.ok(ada && ben);
    await staff.goto('/requests');
    await follow(staff.getByRole('button', { name: REQUEST_TEXTS.de.approveFor('Ada') }), '/requests');
    await staff.getByText(REQUEST_TEXTS.de.decline, { exact: true }).click();
    await staff.getByLabel(REQUEST_TEXTS.de.reason).fill(REASON);
    await follow(staff.getByRole('button', { name: REQUEST_TEXTS.de.declineNow }), '/requests');
    await ada.locator('.entered').waitFor();
    await ben.getByRole('heading', { name: declined }).waitFor();
    await ben.getByText(REASON).waitFor();
    await assertFitsDevices(ada, 'kiosk-approved', javaScriptEnabled);
    await assertFitsDevices(ben, 'kiosk-declined', javaScriptEnabled);
    const code = (await ada.locator('.entered').innerText()).replace('-', '');
    assert.equal(service.rows('select code from vouchers order by id').at(-1)?.code, code);
    await ada.goBack();
    await ada.getByRole('heading', { name: waiting }).waitFor({ state: 'detached' });
    assert.equal(await ada.locator('.entered').count(), 0, 'the next guest sees no code');
    for (const page of pages) await page.context().close();
  }
  await staff.context().close();
});

test('on every page, the menu tells the desk how many requests wait', async () => {
  const staff = await desk.openLoggedIn({ options: { reducedMotion } });
  await staff.clock.install();
  await staff.goto('/vouchers');
  const badge = staff.locator('#menu-requests');
  assert.equal(await badge.isVisible(), false);
  desk.service.clock.advance(60_000);
  const guest = await desk.open({ size: 'phone' });
  await guest.goto(path);
  await ask(guest, 'Jan');
  await staff.clock.fastForward('00:16');
  await badge.waitFor();
  assert.match(await badge.innerText(), /^1\b/);
  assert.deepEqual(await violationsOf(staff), []);
  for (const width of [390, 820, 1180]) {
    await staff.setViewportSize({ width, height: 800 });
    const [icon, number] = await Promise.all(
      [staff.locator('[href="/requests"] .icon'), badge].map((shown) => shown.boundingBox()),
    );
    assert.ok(icon && number && number.y < icon.y + icon.height, `beside the icon at ${width} px`);
  }
  for (const page of [staff, guest]) await page.context().close();
});

test('the list fits every screen with long texts, is accessible, and its buttons stay where they are', async () => {
  const { guestRequests } = desk.service.beside;
  for (const name of [GUEST, LONG_WORD, 'Jan']) {
    const asked = {
      siteId: SITE,
      screenId: null,
      name,
      host: LONG_WORD,
      note: NOTE,
      language: 'de',
    } as const;
    assert.ok(await guestRequests.add(asked, makePathToken()));
  }
  const staff = await desk.openLoggedIn({ options: { reducedMotion } });
  await staff.goto('/requests');
  const placeOf = (button: Locator) => button.evaluate((element) => [element.offsetLeft, element.offsetTop]);
  const decline = staff.locator('#waiting-requests summary').first();
  const approve = staff.locator('#waiting-requests .primary').first();
  for (const [width, height] of [
    [320, 800],
    [390, 844],
    [820, 1180],
    [1280, 900],
    [1920, 1080],
  ] as const) {
    await staff.setViewportSize({ width, height });
    assert.deepEqual(await layoutFaultsOf(staff), [], `${width} px`);
    await keepPicture(staff, `requests-${width}`);
    const place = await placeOf(decline);
    await decline.click();
    assert.deepEqual(await layoutFaultsOf(staff), [], `${width} px, declining`);
    assert.deepEqual(await placeOf(decline), place, `${width} px`);
    await decline.click();
    if (width >= 820) assert.equal((await placeOf(approve))[1], place[1], `in one line at ${width} px`);
  }
  assert.deepEqual(await violationsOf(staff), []);
  await staff.context().close();
});

test('what is missing is named beside its field, and the rest is kept', async () => {
  const page = await desk.open({ options: { reducedMotion } });
  await page.goto(path);
  const { fields, send, issues } = GUEST_REQUEST_TEXTS.de;
  await page.getByLabel(fields.note.label).fill(NOTE);
  await page.getByRole('button', { name: send }).click();
  await page.getByText(issues.missing(0), { exact: true }).waitFor();
  assert.equal(await page.getByLabel(fields.note.label).inputValue(), NOTE);
  assert.deepEqual(await violationsOf(page), []);
  for (const viewport of DEVICE_SIZES) {
    await page.setViewportSize(viewport);
    await assertFits(page, `request-${viewport.width}-wrong`);
  }
  await page.context().close();
});
