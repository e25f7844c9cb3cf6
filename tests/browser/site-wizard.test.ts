// The site wizard in a real browser, with a simulated console: on a desktop in German with a wrong key, on a phone in
// English. Every step is accessible and fits the screen.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type SimulatedConsole, startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { violationsOf } from './axe.ts';
import { type Desk, SIZES, setupDesk, WORDS } from './desk.ts';

let desk: Desk;
let console: SimulatedConsole;
before(async () => {
  desk = await setupDesk();
  console = await startSimulatedConsole();
});
after(async () => {
  await desk.close();
  await console.stop();
});

/** Checks that a step of the site wizard is accessible and fits the screen. */
async function assertGood(page: Page, step: string, size: keyof typeof SIZES): Promise<void> {
  const current = page.locator('.steps [aria-current="step"]');
  // The previous page has steps too, so wait for this step; and measure only after the stylesheet has loaded.
  await current.filter({ hasText: step }).waitFor();
  await page.waitForLoadState();
  assert.equal(await current.innerText(), step);
  if (size === 'desktop') assert.deepEqual(await violationsOf(page), [], step);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  assert.equal(width, SIZES[size].width, `${step} fits`);
}

test('desktop: a wrong key is corrected, the site is chosen from a list, the test voucher is deleted', async () => {
  const { sites: text } = WORDS.de.admin;
  const page = await desk.openLoggedIn({ options: { reducedMotion: 'reduce' } });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('link', { name: WORDS.de.admin.nav.sites }).click();
  await page.getByRole('link', { name: text.add }).click();
  await assertGood(page, '1. Adresse', 'desktop');
  await page.getByLabel(text.url).fill(console.url);
  await page.getByLabel(text.name, { exact: true }).fill('Haus am See');
  await press(text.next);

  await page.getByRole('heading', { name: text.certificateTitle }).waitFor();
  await assertGood(page, '2. Zertifikat', 'desktop');
  assert.equal(await page.locator('.secret-text').innerText(), console.fingerprint256);
  await press(text.certificateYes);

  await page.getByLabel('API-Schlüssel').fill('falscher Schlüssel');
  await press(text.login);
  await page.getByRole('alert').getByText(text.fixes['api-key']).waitFor();
  await assertGood(page, '3. Zugangsdaten', 'desktop');
  await page.getByLabel('API-Schlüssel').fill(console.apiKey);
  await press(text.login);

  await page.getByRole('status').getByText(text.loggedIn(2)).waitFor();
  await assertGood(page, '4. Auswahl und Test', 'desktop');
  assert.ok(!(await page.content()).includes(console.apiKey));
  await page.getByLabel(text.controllerSite).selectOption({ label: 'Haus B (k3w9x2pb)' });
  await press(text.store);
  await page.getByRole('status').getByText(WORDS.de.notices.siteMade).waitFor();
  assert.deepEqual(console.controls.vouchers(), []);
  await press(text.test);
  await page.getByRole('status').getByText(text.works('Haus am See')).waitFor();
  await page.context().close();
});

test('phone: the site wizard works in English, with user name and password', async () => {
  const { sites: text } = WORDS.en.admin;
  const page = await desk.openLoggedIn({
    language: 'en',
    size: 'phone',
    options: { reducedMotion: 'reduce' },
  });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await page.goto('/sites/new');
  await assertGood(page, '1. Address', 'phone');
  await page.getByLabel(text.kind).selectOption('unifi-classic');
  await page.getByLabel(text.url).fill(console.url);
  await page.getByLabel(text.name, { exact: true }).fill('Beach house');
  await press(text.next);
  await page.getByRole('heading', { name: text.certificateTitle }).waitFor();
  await assertGood(page, '2. Certificate', 'phone');
  await press(text.certificateYes);
  await page.getByLabel('User').fill(console.username);
  await page.getByLabel('Password', { exact: true }).fill(console.password);
  await assertGood(page, '3. Credentials', 'phone');
  await press(text.login);
  await page.getByRole('heading', { name: text.siteTitle }).waitFor();
  await assertGood(page, '4. Site and test', 'phone');
  assert.equal(await page.getByLabel(text.controllerSite).inputValue(), 'default');
  await press(text.store);
  await page.getByRole('heading', { name: 'Beach house' }).waitFor();
  assert.deepEqual(console.controls.vouchers(), []);
  await page.context().close();
});
