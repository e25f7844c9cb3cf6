// Stories at a kiosk in a real browser: guests take a voucher on tablets and phones, with and without JavaScript, with
// the longest texts, two languages, many profiles and everything that a kiosk can ask for. Also what goes wrong.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { RESULT_MS } from '../../src/features/screens/screen.ts';
import { KIOSK_TEXTS } from '../../src/features/screens/screen-texts.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import type { SiteSlip } from '../../src/kernel/slips/slip.ts';
import { TESTER } from '../support/actors.ts';
import { type Kiosk, openKiosk } from '../support/kiosk.ts';
import { makePng } from '../support/pictures.ts';
import { setupMail } from '../support/setup-mail.ts';
import { violationsOf } from './axe.ts';
import { type Desk, follow, setupDesk, WORDS } from './desk.ts';
import { layoutFaultsOf } from './layout.ts';
import { DEVICE_SIZES, keepPicture, openDevice, smallTargetsOf } from './screen-device.ts';

const SITE = asSiteId(1);
const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftshotel';
const GUEST = 'Maximiliane-Alexandra von Hohenzollern-S';
const PROFILES = [
  'Ein Tag',
  'Eine Woche',
  LONG_WORD,
  'Tagungsgäste im großen Saal mit Seeblick',
  'Bar',
  'P',
  '1',
];
const { de, en } = KIOSK_TEXTS;
const audit = { actor: TESTER, atMs: 1 };
/** Colours change at once, so that their contrast is the final one. */
const reducedMotion = 'reduce';

let desk: Desk;
/** Asks for everything. */
let strict: Kiosk;
/** One tap. */
let simple: Kiosk;
before(async () => {
  desk = await setupDesk();
  const { service } = desk;
  const { sites, slips, images, profiles } = service.beside;
  await sites.change(SITE, { name: `${LONG_WORD} am Vierwaldstättersee` }, audit);
  const slip = {
    wifiName: 'W'.repeat(32),
    wifiSecurity: 'wpa',
    wifiPassword: 'M'.repeat(63),
    text: '',
    languages: ['de', 'en'],
    colour: '#ffd400',
  } satisfies SiteSlip;
  await slips.save(SITE, slip, audit);
  await images.save(`site-${SITE}`, { type: 'image/png', bytes: makePng(600, 100) }, audit);
  await images.save(`screen-${SITE}`, { type: 'image/png', bytes: makePng(1600, 900) }, audit);
  await setupMail(service);
  const limits = { maxUses: 0, downKbps: 100_000, upKbps: 25_000, quotaMb: 1_048_576, siteIds: [] };
  const profileIds: string[] = [];
  for (const name of PROFILES)
    profileIds.push(String(await profiles.add({ name, expireMinutes: 525_600, ...limits }, audit)));
  const terms = 'Wer das WLAN nutzt, hält sich an die Gesetze und nimmt Rücksicht auf andere.\n\n'.repeat(60);
  const asks = ['name', 'email', 'room'];
  strict = await openKiosk(service, { siteId: SITE, name: 'Lobby', profileIds, asks, terms });
  simple = await openKiosk(service, { siteId: SITE, name: 'Bar', perMinute: '100' });
});
after(() => desk.close());

const vouchersOf = ({ id }: Kiosk) =>
  desk.service.rows('select * from vouchers where screen_id = ? order by id', id);
const codeOn = (page: Page) => page.locator('.entered').innerText();
const offers = (page: Page) => page.locator('.offer');

async function assertFits(page: Page, name: string): Promise<void> {
  assert.deepEqual(await layoutFaultsOf(page), [], name);
  assert.deepEqual(await smallTargetsOf(page), [], name);
  await keepPicture(page, name);
}

/** No link leads out of the screen. */
async function assertEnclosed(page: Page): Promise<void> {
  for (const link of await page.locator('a[href]').all())
    assert.match((await link.getAttribute('href')) ?? '', /^(\/screen|#)/);
}

for (const viewport of DEVICE_SIZES)
  for (const javaScriptEnabled of [true, false])
    test(`a guest enters everything and gets a voucher (${viewport.width} × ${viewport.height}, ${javaScriptEnabled ? 'with' : 'without'} JavaScript)`, async () => {
      const options = { viewport, javaScriptEnabled, reducedMotion } as const;
      const name = `kiosk-${viewport.width}${javaScriptEnabled ? '' : '-plain'}`;
      // Accessibility does not depend on the size, apart from the sizes that are measured.
      const isExamined = javaScriptEnabled && viewport === DEVICE_SIZES[0];
      const page = await openDevice(desk, strict.cookie, { options });
      await page.getByRole('heading', { name: de.several }).waitFor();
      assert.equal(await offers(page).count(), PROFILES.length);
      await assertFits(page, `${name}-start`);
      await assertEnclosed(page);
      if (isExamined) assert.deepEqual(await violationsOf(page), [], name);

      await follow(page.locator('.languages').getByText(WORDS.en.language), /lang=en/);
      await page.getByRole('heading', { name: en.several }).waitFor();
      assert.equal(await page.locator('html').getAttribute('lang'), 'en');
      await page.getByText(en.readTerms).click();
      await page.locator('.terms-text').waitFor();
      await assertFits(page, `${name}-terms`);
      await page.getByLabel(en.name).fill(GUEST);
      await page.getByLabel(en.email).fill('ada@example.org');
      await page.getByLabel(en.room).fill('Suite 204, Seeseite');
      await page.getByLabel(en.agree).check();
      await offers(page).filter({ hasText: LONG_WORD }).click();

      await page.getByRole('heading', { name: en.ready }).waitFor();
      const voucher = vouchersOf(strict).at(-1);
      assert.equal((await codeOn(page)).replace('-', ''), voucher?.code);
      assert.match(String(voucher?.name), new RegExp(`^\\d{4}-\\d\\d-\\d\\d_${GUEST}$`));
      await page.getByText(en.mailed).waitFor();
      await assertFits(page, `${name}-result`);
      await assertEnclosed(page);
      assert.equal(await page.locator('.qr:visible').count(), 1, 'a camera sees one QR code');
      await page.getByRole('radio', { name: en.codeQr }).check();
      await page.getByText(en.codeQrHint).waitFor();
      assert.equal(await page.locator('.qr:visible').count(), 1);
      if (isExamined) assert.deepEqual(await violationsOf(page), [], name);

      await follow(page.getByRole('link', { name: en.done }), '/screen');
      await page.getByRole('heading', { name: de.several }).waitFor();
      await page.goBack();
      await offers(page).first().waitFor();
      assert.equal(await page.locator('.entered').count(), 0, 'the next guest sees no code');
      await page.context().close();
    });

test('what was entered wrongly is named beside its field, and the rest is kept', async () => {
  const page = await openDevice(desk, strict.cookie, { options: { reducedMotion } });
  const before = vouchersOf(strict).length;
  await page.getByLabel(de.name).fill('   ');
  await page.getByLabel(de.email).fill('ada@example');
  await page.getByLabel(de.room).fill('204');
  await page.getByLabel(de.agree).check();
  await offers(page).first().click();
  await page.getByText(de.missing.name, { exact: true }).waitFor();
  await page.getByText(de.emailWrong, { exact: true }).waitFor();
  assert.equal(await page.getByLabel(de.email).inputValue(), 'ada@example');
  assert.equal(await page.getByLabel(de.room).inputValue(), '204');
  assert.equal(await page.getByLabel(de.agree).isChecked(), true);
  assert.deepEqual(await violationsOf(page), []);
  for (const viewport of DEVICE_SIZES) {
    await page.setViewportSize(viewport);
    await assertFits(page, `kiosk-${viewport.width}-wrong`);
  }
  assert.equal(vouchersOf(strict).length, before);
  await page.getByLabel(de.name).fill('Ada');
  await page.getByLabel(de.email).fill('ada@example.org');
  await offers(page).first().click();
  await page.locator('.entered').waitFor();
  assert.equal(vouchersOf(strict).length, before + 1);
  await page.context().close();
});

for (const javaScriptEnabled of [true, false])
  test(`the result leads back to the start by itself, and keeps no code (${javaScriptEnabled ? 'with' : 'without'} JavaScript)`, async () => {
    const page = await openDevice(desk, simple.cookie, { options: { javaScriptEnabled } });
    let [refresh, shown]: (string | undefined)[] = [];
    // The browser waits for two seconds instead of a minute.
    await page.route('**/screen/done/*', async (route) => {
      const response = await route.fetch({ maxRedirects: 0 });
      const headers = response.headers();
      refresh ??= headers.refresh;
      shown ??= await response.text();
      const shortened = { ...headers, ...(headers.refresh && { refresh: '2;url=/screen' }) };
      await route.fulfill({ response, headers: shortened });
    });
    // A route does not see what a form is redirected to.
    const { location } = await simple.order();
    await page.goto(location ?? '');
    await offers(page).waitFor();
    assert.match(shown ?? '', /"code entered"/);
    assert.equal(refresh, `${RESULT_MS / 1000};url=/screen`);
    await page.goBack();
    await offers(page).waitFor();
    assert.equal(await page.locator('.entered').count(), 0);
    await page.context().close();
  });

for (const javaScriptEnabled of [true, false])
  test(`a double tap makes one voucher (${javaScriptEnabled ? 'with' : 'without'} JavaScript)`, async () => {
    const before = vouchersOf(simple).length;
    const page = await openDevice(desk, simple.cookie, { options: { javaScriptEnabled } });
    await offers(page).dblclick();
    await page.locator('.entered').waitFor();
    const made = vouchersOf(simple);
    assert.equal(made.length, before + 1);
    assert.equal((await codeOn(page)).replace('-', ''), made.at(-1)?.code);
    await page.context().close();
  });

test('without a connection, a kiosk says so instead of showing an error, and goes on by itself', async () => {
  const before = vouchersOf(simple).length;
  const page = await openDevice(desk, simple.cookie, { options: { reducedMotion } });
  await page.context().setOffline(true);
  await offers(page).click();
  await page.getByText(de.awayWhat).waitFor();
  assert.deepEqual(await violationsOf(page), []);
  for (const viewport of DEVICE_SIZES) {
    await page.setViewportSize(viewport);
    await assertFits(page, `kiosk-${viewport.width}-offline`);
  }
  await page.context().setOffline(false);
  await page.locator('.entered').waitFor();
  assert.equal(vouchersOf(simple).length, before + 1);
  await page.context().close();
});

test('over its limit, a kiosk tells guests to wait, and opens again by itself', async () => {
  const { service } = desk;
  const bar = await openKiosk(service, { siteId: SITE, name: 'Terrasse', perMinute: '1' });
  await bar.take();
  const page = await openDevice(desk, bar.cookie, { options: { reducedMotion } });
  await offers(page).click();
  await page.getByRole('heading', { name: de.wait }).waitFor();
  assert.deepEqual(await violationsOf(page), []);
  for (const viewport of DEVICE_SIZES) {
    await page.setViewportSize(viewport);
    await assertFits(page, `kiosk-${viewport.width}-limit`);
  }
  await follow(page.getByRole('link', { name: de.again }), /\/screen\?lang=de/);
  const older = (seconds: number) =>
    service.change(
      'update vouchers set created_at_s = created_at_s - ? where screen_id = ?',
      seconds,
      bar.id,
    );
  older(58);
  const refused = page.waitForResponse((response) => response.status() === 429);
  await Promise.all([refused, page.waitForEvent('load'), offers(page).click()]);
  await offers(page).waitFor();
  older(3);
  await offers(page).click();
  await page.locator('.entered').waitFor();
  assert.equal(vouchersOf(bar).length, 2);
  await page.context().close();
});

test('a form that a guest has left is emptied for the next one, and the result counts down', async () => {
  const page = await openDevice(desk, strict.cookie);
  await page.clock.install();
  await page.reload();
  await page.getByLabel(de.name).fill(GUEST);
  await page.clock.fastForward('01:30');
  assert.equal(await page.getByLabel(de.name).inputValue(), GUEST);
  await Promise.all([page.waitForEvent('load'), page.clock.fastForward('02:30')]);
  assert.equal(await page.getByLabel(de.name).inputValue(), '');
  await page.context().close();

  const other = await openDevice(desk, simple.cookie);
  await other.clock.install();
  await offers(other).click();
  await other.locator('.entered').waitFor();
  await other.clock.fastForward('00:18');
  await other.getByText(de.left.replace('{seconds}', '42')).waitFor();
  await other.context().close();
});
