// The page of a screen with a rolling code in a real browser: it changes by itself, with and without JavaScript, fits
// tablets and phones, and can be read by a camera.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { GUEST_PAGE_TEXTS } from '../../src/features/guest-pages/guest-page-texts.ts';
import { ROLLING_TEXTS } from '../../src/features/screens/rolling-texts.ts';
import { SCREEN_COOKIE, SCREEN_PATH } from '../../src/features/screens/screen.ts';
import { makeToken } from '../../src/platform/secrets/token.ts';
import { addRolling, type RollingGround, redeem } from '../rolling/ground.ts';
import { siteId } from '../stock/support.ts';
import { TESTER } from '../support/actors.ts';
import { makePng } from '../support/pictures.ts';
import { violationsOf } from './axe.ts';
import { type Desk, setupDesk } from './desk.ts';
import { layoutFaultsOf } from './layout.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 800, height: 1280 },
  { width: 390, height: 844 },
  { width: 1920, height: 1080 },
];
/** If set, the pictures of the pages are written there. */
const { SCREENSHOTS } = process.env;
const audit = { actor: TESTER, atMs: 1 };

let desk: Desk;
let screen: RollingGround;
const device = makeToken();
before(async () => {
  // The test fills the stock itself.
  desk = await setupDesk({ jobs: false });
  const { service } = desk;
  const { sites, slips, images } = service.beside;
  await sites.change(
    siteId,
    { name: 'Donaudampfschifffahrtsgesellschaftshotel', importsForeign: false },
    audit,
  );
  await slips.save(
    siteId,
    {
      // The longest ones.
      wifiName: 'W'.repeat(32),
      wifiSecurity: 'wpa',
      wifiPassword: 'M'.repeat(63),
      text: '',
      languages: ['de', 'en'],
      colour: '#0a6b4f',
    },
    audit,
  );
  await images.save(`site-${siteId}`, { type: 'image/png', bytes: makePng(600, 100) }, audit);
  screen = addRolling(service, { cookie_hash: device.tokenHash, paired_at_ms: 1 });
  await screen.fill(5);
});
after(() => desk.close());

async function openScreen(options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const page = await desk.open({ options });
  const { url } = desk.service;
  await page
    .context()
    .addCookies([
      { name: SCREEN_COOKIE, value: device.token, domain: new URL(url).hostname, path: SCREEN_PATH },
    ]);
  await page.goto(SCREEN_PATH);
  return page;
}

const codeOn = (page: Page) => page.locator('.now .code').innerText();

async function keepPicture(page: Page, name: string): Promise<void> {
  if (!SCREENSHOTS) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  writeFileSync(`${SCREENSHOTS}/${name}.png`, await page.screenshot());
}

test('the code, the Wi-Fi and the steps fit every screen and are accessible', async () => {
  const page = await openScreen();
  const { formatted_code } = await screen.look();
  assert.equal(await codeOn(page), formatted_code);
  for (const text of [GUEST_PAGE_TEXTS.de.steps, GUEST_PAGE_TEXTS.en.steps])
    await page.getByText(text).waitFor();
  assert.equal(await page.locator('.qr').count(), 1);
  assert.equal(await page.locator('a[href]').count(), 0, 'no link leads away');
  assert.deepEqual(await violationsOf(page), []);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    assert.deepEqual(await layoutFaultsOf(page), [], `${size.width} px`);
    await keepPicture(page, `rolling-${size.width}x${size.height}`);
  }
  await page.context().close();
});

test('when the code is used, the screen shows the next one by itself', async () => {
  const page = await openScreen();
  const before = await codeOn(page);
  await redeem(desk.service, before.replaceAll('-', ''));
  await page.locator('.now .code', { hasNotText: before.slice(0, 5) }).waitFor();
  assert.equal(await codeOn(page), (await screen.look()).formatted_code);
  await page.context().close();
});

test('without JavaScript, the page shows the code and reloads itself', async () => {
  const page = await openScreen({ javaScriptEnabled: false });
  assert.equal(await codeOn(page), (await screen.look()).formatted_code);
  const refresh = await page.locator('meta[http-equiv=refresh]').getAttribute('content');
  assert.equal(refresh, `10; url=${SCREEN_PATH}`);
  await page.context().close();
});

test('while there is no code, the screen says so, and shows the next one as soon as it is there', async () => {
  const page = await openScreen();
  const { id } = screen;
  desk.service.change('delete from stock where screen_id = ?', id);
  await redeem(desk.service, (await screen.look()).code);
  await page.getByText(ROLLING_TEXTS.de.preparing).waitFor();
  assert.deepEqual(await violationsOf(page), []);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    assert.deepEqual(await layoutFaultsOf(page), [], `${size.width} px`);
    await keepPicture(page, `rolling-preparing-${size.width}x${size.height}`);
  }
  await desk.service.beside.syncs.noteFailure(siteId, 'the console does not answer');
  desk.service.clock.advance(1_000);
  await page.getByText(ROLLING_TEXTS.de.none).waitFor();
  await desk.service.beside.syncs.noteSuccess(siteId);
  await screen.fill();
  await page.locator('.now .code').waitFor();
  await page.context().close();
});

test('without a connection, the screen says so and recovers by itself', async () => {
  const page = await openScreen();
  await page.context().setOffline(true);
  await page.getByText(ROLLING_TEXTS.de.offline).waitFor();
  await page.context().setOffline(false);
  await page.getByText(ROLLING_TEXTS.de.offline).waitFor({ state: 'hidden' });
  await page.context().close();
});

test('a device that is not paired any more is led to the pairing code', async () => {
  const page = await openScreen();
  desk.service.change('update screens set cookie_hash = null where id = ?', screen.id);
  await page.locator('input[name=code]').waitFor();
  await page.context().close();
});
