// The site wizard in a real browser, with a simulated console: on a desktop in German with a wrong key and then with
// the access of the first site, on a phone in English. Every step is accessible and fits the screen. Then the way from
// a new installation to slips of two sites, on every screen and without JavaScript.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type SimulatedConsole, startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { PASSWORD } from '../web/web-client.ts';
import { violationsOf } from './axe.ts';
import { type Desk, follow, login, SIZES, setupDesk, untilMade, WORDS } from './desk.ts';

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

test('desktop: a wrong key is corrected, a site is chosen and tested, another reuses its access', async () => {
  const { sites: text } = WORDS.de.admin;
  const page = await desk.openLoggedIn({ options: { reducedMotion: 'reduce' } });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('link', { name: WORDS.de.admin.nav.sites }).click();
  await page.getByRole('link', { name: text.add }).click();
  await assertGood(page, '1. Adresse', 'desktop');
  await page.getByLabel(text.url).fill(console.url);
  await press(text.next);

  await page.getByRole('heading', { name: text.certificateTitle }).waitFor();
  await assertGood(page, '2. Zertifikat', 'desktop');
  assert.equal(await page.locator('.secret-text').innerText(), console.fingerprint256);
  await page.getByText(text.certificateHow).click();
  for (const { how } of text.browsers) await page.getByText(how).waitFor();
  assert.deepEqual(await violationsOf(page), []);
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
  assert.equal(await page.getByRole('button', { name: text.store }).isDisabled(), true);
  await page.getByRole('checkbox', { name: 'Haus B' }).check();
  await page.getByLabel(text.nameOf('Haus B')).fill('Haus am See');
  assert.deepEqual(await violationsOf(page), []);
  await press(text.store);
  await page.getByRole('status').getByText(WORDS.de.notices.siteMade).waitFor();
  assert.deepEqual(console.controls.vouchers(), []);
  await press(text.test);
  await page.getByRole('status').getByText(text.works('Haus am See')).waitFor();

  desk.service.clock.advance(11 * 60_000);
  await page.goto('/sites/new');
  await assertGood(page, '1. Adresse', 'desktop');
  await press(text.reuse('Haus am See'));
  await page.getByLabel(WORDS.de.confirmation.password).fill(PASSWORD);
  await press(WORDS.de.confirmation.button);
  await assertGood(page, '4. Auswahl und Test', 'desktop');
  await page.getByText(text.siteTaken('Haus am See')).waitFor();
  assert.equal(await page.getByRole('checkbox', { name: 'Default' }).isChecked(), true);
  await press(text.store);
  await page.getByRole('heading', { name: 'Default' }).waitFor();
  await page.context().close();
});

test('phone: the site wizard works in English, with user name and password', async () => {
  const console = await startSimulatedConsole();
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
  await press(text.next);
  await page.getByRole('heading', { name: text.certificateTitle }).waitFor();
  await assertGood(page, '2. Certificate', 'phone');
  await press(text.certificateYes);
  await page.getByLabel('User').fill(console.username);
  await page.getByLabel('Password', { exact: true }).fill(console.password);
  await assertGood(page, '3. Credentials', 'phone');
  await press(text.login);
  await page.getByRole('heading', { name: text.sitesTitle }).waitFor();
  await assertGood(page, '4. Site and test', 'phone');
  await page.getByRole('checkbox', { name: 'Default' }).check();
  await page.getByLabel(text.nameOf('Default')).fill('Beach house');
  await press(text.store);
  await page.getByRole('heading', { name: 'Beach house' }).waitFor();
  assert.deepEqual(console.controls.vouchers(), []);
  await page.context().close();
  await console.stop();
});

/** The clicks from the start page to the slips of two sites, without those that only choose a site in a list. */
const MAX_CLICKS = 11;

for (const [screen, options] of Object.entries({
  'a desktop': {},
  'a tablet': { viewport: { width: 820, height: 1180 } },
  'a phone': { viewport: SIZES.phone },
  'a phone without JavaScript': { viewport: SIZES.phone, javaScriptEnabled: false },
}))
  describe(`a new installation on ${screen}`, () => {
    let own: Desk;
    let twoSites: SimulatedConsole;
    before(async () => {
      own = await setupDesk();
      twoSites = await startSimulatedConsole();
    });
    after(async () => {
      await own.close();
      await twoSites.stop();
    });

    test('leads from the console to slips of two sites within a few clicks', async () => {
      const { admin, form, result, firstSteps } = WORDS.de;
      const { sites: text } = admin;
      const page = await own.open({ options: { ...options, reducedMotion: 'reduce' } });
      await login(page);
      let clicks = 0;
      const click = async (target: Locator) => {
        clicks++;
        await target.click();
      };
      const press = (name: string) => click(page.getByRole('button', { name, exact: true }));
      await click(page.getByRole('link', { name: firstSteps.steps.controller.action, exact: true }));
      await page.getByLabel(text.url).fill(twoSites.url);
      await press(text.next);
      await press(text.certificateYes);
      await page.getByLabel('API-Schlüssel').fill(twoSites.apiKey);
      await press(text.login);
      await click(page.getByRole('checkbox', { name: 'Default' }));
      await page.getByLabel(text.nameOf('Default')).fill('Haus A');
      await click(page.getByRole('checkbox', { name: 'Haus B' }));
      await press(text.store);
      await page.getByText(WORDS.de.notices.sitesMade).waitFor();
      for (const site of ['Haus A', 'Haus B']) {
        await click(page.getByRole('link', { name: WORDS.de.nav.newVoucher }));
        await page.locator('#site').selectOption({ label: site });
        await page.getByLabel(form.name, { exact: true }).fill('Familie Meyer');
        await page.keyboard.press('Enter');
        await untilMade(page);
        const code = await page.locator('.hero .code').innerText();
        clicks++;
        await follow(page.getByRole('link', { name: result.print, exact: true }), /\/vouchers\/print/);
        assert.equal(await page.locator('.slip .code').textContent(), code);
      }
      assert.ok(clicks <= MAX_CLICKS, `${clicks} clicks`);
      const made = twoSites.controls.vouchers().length;
      assert.deepEqual([made, twoSites.controls.vouchers('default').length], [2, 1]);
      await page.context().close();
    });
  });
