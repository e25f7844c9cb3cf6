// Handing a voucher over to the guest in a real browser: the view for the guest, the share sheet, printing with one
// click and straight after creation. And what the device keeps: its theme, and the icon on its home screen.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { asSiteId } from '../../src/kernel/ids.ts';
import { TESTER } from '../support/actors.ts';
import { makePng } from '../support/pictures.ts';
import { type Desk, follow, makeVouchers, setupDesk, untilMade, WORDS } from './desk.ts';

const { de } = WORDS;
const TO_PRINT = /\/vouchers\/print\?/;
let desk: Desk;
before(async () => {
  desk = await setupDesk();
  await desk.service.beside.slips.save(
    asSiteId(1),
    { wifiName: 'Seeblick Gäste', wifiSecurity: 'wpa', wifiPassword: 'am-wasser-2026', text: '' },
    { actor: TESTER, atMs: 1 },
  );
});
after(() => desk.close());

/** Counts the print dialogs of each page instead of opening them. */
const countPrints = (page: Page) => page.addInitScript('window.printed = 0; window.print = () => printed++');
const printed = (page: Page) => page.evaluate<number>('printed');

test('without JavaScript a guest is led from the Wi-Fi to the code and back, on one screen each', async () => {
  const page = await desk.openLoggedIn({ size: 'phone', options: { javaScriptEnabled: false } });
  await makeVouchers(page, 'Herr Geheim');
  const code = await page.locator('.hero .code').innerText();
  await follow(page.getByRole('link', { name: de.result.show }), /\/guest$/);
  for (const [step, text] of [
    [de.guest.next, 'am-wasser-2026'],
    [de.guest.previous, code],
  ] as const) {
    await page.getByText(text).waitFor();
    assert.equal(await page.locator('.qr').count(), 1);
    assert.equal(await page.getByText('Herr Geheim').count(), 0);
    assert.equal(await page.getByRole('navigation').count(), 0);
    const button = await page.getByRole('link', { name: step }).boundingBox();
    const qr = await page.locator('.qr').boundingBox();
    assert.ok(button && button.height >= 64 && button.y + button.height <= 844, JSON.stringify(button));
    assert.ok(qr && qr.width >= 250, JSON.stringify(qr));
    await follow(page.getByRole('link', { name: step }), /\/guest/);
  }
  await follow(page.getByRole('link', { name: de.guest.done }), /\/vouchers\/\d+$/);
  await page.context().close();
});

test('with a logo and two languages, the guest view fits on the screen of a front desk', async () => {
  const audit = { actor: TESTER, atMs: 1 };
  const { images, slips } = desk.service.beside;
  const slip = await slips.find(asSiteId(1));
  await images.save(`site-${asSiteId(1)}`, { type: 'image/png', bytes: makePng(600, 240) }, audit);
  await slips.save(asSiteId(1), { ...slip, languages: ['de', 'en'] }, audit);
  const page = await desk.openLoggedIn();
  await makeVouchers(page, 'Mit Logo');
  await follow(page.getByRole('link', { name: de.result.show }), /\/guest$/);
  for (const step of [de.guest.next, de.guest.previous]) {
    for (const [width, height] of [
      [1280, 800],
      [1024, 768],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      const qr = await page.locator('.qr').boundingBox();
      const button = await page.getByRole('link', { name: step }).boundingBox();
      assert.ok(button && button.y + button.height <= height, `${width} px: ${JSON.stringify(button)}`);
      assert.ok(qr && qr.width >= 190 && qr.width === qr.height, `${width} px: ${JSON.stringify(qr)}`);
    }
    await follow(page.getByRole('link', { name: step }), /\/guest/);
  }
  await images.remove(`site-${asSiteId(1)}`, audit);
  await slips.save(asSiteId(1), slip, audit);
  await page.context().close();
});

test('the share sheet gets Wi-Fi, code and duration; a browser without one shows no button', async () => {
  const page = await desk.openLoggedIn();
  await page.addInitScript('Object.defineProperty(navigator, "share", { value: undefined, writable: true })');
  await makeVouchers(page, 'Ohne Teilen');
  const button = page.getByRole('button', { name: de.result.share });
  assert.equal(await button.count(), 0);
  await page.addInitScript('navigator.share = async ({ text }) => { window.shared = text; }');
  await page.reload();
  const code = await page.locator('.hero .code').innerText();
  await button.click();
  const shared = `WLAN: Seeblick Gäste\nCode: ${code}\n1 Gerät, 8 Stunden ab erster Nutzung\n${de.demoBadge}`;
  assert.equal(await page.evaluate('shared'), shared);
  await page.context().close();
});

test('one click prints a voucher, and a reload does not print it again', async () => {
  const page = await desk.openLoggedIn();
  await countPrints(page);
  await makeVouchers(page, 'Ein Klick');
  assert.equal(await printed(page), 0);
  await follow(page.getByRole('link', { name: de.result.print, exact: true }), TO_PRINT);
  assert.equal(await printed(page), 1);
  assert.doesNotMatch(page.url(), /#/);
  await page.reload();
  assert.equal(await printed(page), 0);
  await page.context().close();
});

for (const javaScriptEnabled of [true, false])
  test(`${javaScriptEnabled ? 'with' : 'without'} JavaScript a device that prints straight away leads to the slip`, async () => {
    const page = await desk.openLoggedIn({ options: { javaScriptEnabled } });
    await countPrints(page);
    const name = `Sofort ${javaScriptEnabled}`;
    await page.getByLabel(de.form.printAtOnce).check();
    await page.locator('#name').fill(name);
    await page.getByRole('button', { name: de.form.button }).dblclick();
    // Without JavaScript, the second click may abort the page that the first one leads to.
    await page.waitForURL(TO_PRINT).catch(() => page.waitForURL(TO_PRINT));
    assert.equal(await page.locator('.slip').count(), 1);
    assert.equal(desk.service.rows('select id from vouchers where name like ?', `%_${name}`).length, 1);
    if (javaScriptEnabled) {
      await page.waitForLoadState();
      assert.equal(await printed(page), 1);
    }
    await page.goto('/');
    assert.ok(await page.getByLabel(de.form.printAtOnce).isChecked(), 'the device remembers it');
    await page.getByLabel(de.form.printAtOnce).uncheck();
    await page.locator('#name').fill(name);
    await page.locator('#name').press('Enter');
    await untilMade(page);
    await page.context().close();
  });

test('the theme of the device applies without a flash, and paper stays light', async () => {
  const page = await desk.openLoggedIn({ options: { javaScriptEnabled: false } });
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const light = await background();
  await follow(page.getByRole('navigation').getByRole('button', { name: de.theme.names.dark }), '/');
  assert.notEqual(await background(), light);
  await page.goto('/account');
  await follow(page.getByRole('main').getByRole('button', { name: de.theme.names.light }), '/account');
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.equal(await background(), light);
  await follow(page.getByRole('main').getByRole('button', { name: de.theme.names.dark }), '/account');
  await page.emulateMedia({ media: 'print' });
  assert.equal(await background(), 'rgb(255, 255, 255)');
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'light');
  await page.context().close();
});

test('Chromium offers to put the service on the home screen', async () => {
  const page = await desk.openLoggedIn();
  const session = await page.context().newCDPSession(page);
  const { errors, url } = await session.send('Page.getAppManifest');
  assert.match(url, /\/manifest\.webmanifest$/);
  assert.deepEqual(errors, []);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Playwright's browser profiles are private ones, from which nothing is installed.
  const left = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito');
  assert.deepEqual(left, []);
  await page.context().close();
});
