// The settings of the installation and its sites, in a real browser: title and language, retention, logo, slips, and a
// site that is tested, synced, deactivated and activated again.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type SimulatedConsole, startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { localeOf } from '../../src/platform/texts/durations.ts';
import { languageName } from '../../src/platform/texts/language-name.ts';
import { JPEG, makePng } from '../support/pictures.ts';
import { addConsole, type Desk, EACH_ONCE, follow, handsOn, makeVouchers, setupDesk, WORDS } from './desk.ts';

const DAY_S = 24 * 60 * 60;
const CONSOLE_SITES = { desktop: 'default', phone: 'k3w9x2pb' };
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

const widthOf = (image: Locator) => image.evaluate((element) => Reflect.get(element, 'naturalWidth'));

for (const input of EACH_ONCE)
  describe(`in ${input.language} on a ${input.size}`, () => {
    const words = WORDS[input.language];
    const { settings, logo, slip, notices } = words;
    const { sites, save } = words.admin;
    const own = (what: string) => `${what} ${input.language}`;
    let page: Page;
    let hands: ReturnType<typeof handsOn>;
    before(async () => {
      page = await desk.openLoggedIn(input);
      hands = handsOn(page, input);
    });
    after(() => page.context().close());

    test('the title is on every page, and the default language applies to users who chose none', async () => {
      await hands.goTo(settings.title);
      await hands.field(settings.name).fill(own('Seeblick'));
      const other = input.language === 'de' ? 'en' : 'de';
      await hands.field(settings.language).selectOption(other);
      await hands.button(save).click();
      await hands.told(WORDS[other].notices.settingsSaved);
      assert.match(await page.title(), new RegExp(own('Seeblick')));
      // On a phone there is no room for the title beside the menu.
      if (input.size === 'desktop') await page.locator('.side').getByText(own('Seeblick')).waitFor();

      const door = await desk.open(input);
      await door.goto('/login');
      await door.getByRole('heading', { name: WORDS[other].login.title }).waitFor();
      await door.locator('.brand').getByText(own('Seeblick')).waitFor();
      await door.context().close();

      await hands.field(WORDS[other].settings.language).selectOption('browser');
      await hands.button(WORDS[other].admin.save).click();
      await hands.told(notices.settingsSaved);
    });

    test('a new retention is saved after a preview of what it would delete', async () => {
      const { timeZone } = desk.service.config;
      const endedS = Math.floor(desk.service.clock.nowMs() / 1000) - 400 * DAY_S;
      await makeVouchers(page, own('Längst vorbei'));
      desk.service.change('update vouchers set ended_at_s = ?', endedS);
      const [row] = desk.service.rows('select count(*) as n from vouchers');
      await hands.goTo(settings.title);
      const days = page.getByRole('group', { name: settings.vouchers }).getByLabel(settings.keep[90]);
      await days.check();
      await hands.button(settings.preview).click();
      await page.getByRole('heading', { name: settings.ask }).waitFor();
      // The table comes after the heading.
      await page.waitForLoadState();
      const day = new Intl.DateTimeFormat(localeOf(input.language), { dateStyle: 'medium', timeZone });
      const ended = day.format(endedS * 1000);
      const cells = await page.locator('.preview tbody tr').first().locator('td').allInnerTexts();
      assert.deepEqual(cells, [settings.vouchers, String(row?.n), ended, ended]);
      await hands.button(settings.saveRetention).click();
      await hands.told(notices.settingsSaved);
      assert.ok(await days.isChecked());
    });

    test('without JavaScript a logo is uploaded, shown and removed, and an invalid file is refused', async () => {
      const plain = await desk.openLoggedIn({ ...input, options: { javaScriptEnabled: false } });
      await plain.goto('/settings');
      const { button } = handsOn(plain, input);
      const choose = (name: string, buffer: Buffer) =>
        plain.locator('input[type="file"]').setInputFiles({ name, mimeType: 'image/png', buffer });
      const [saved, refused] = ['/settings', '/settings/logo'];
      await choose('Größe "1".png', makePng(48, 24));
      await follow(button(logo.upload), saved);
      const seen = plain.locator(input.size === 'desktop' ? '.side .logo' : '.logo-now .logo');
      assert.ok(await seen.isVisible());
      assert.equal(await widthOf(seen), 48);
      await choose('logo.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
      await follow(button(logo.upload), refused);
      assert.equal(await plain.locator('#logo-error').textContent(), logo.issues['other-kind']);
      await plain.goto('/settings');
      await follow(button(logo.upload), refused);
      assert.equal(await plain.locator('#logo-error').textContent(), logo.issues.empty);
      await choose('foto.jpg', JPEG);
      await follow(button(logo.upload), saved);
      const door = await desk.open(input);
      await door.goto('/login');
      assert.equal(await widthOf(door.locator('.brand .logo')), 24);
      await follow(button(logo.remove), saved);
      assert.equal(await seen.count(), 0);
      await door.context().close();
      await plain.context().close();
    });

    test('the slip settings of a site appear on its printed slips', async () => {
      const id = await desk.service.addSite('default', own('Bootshaus'));
      await hands.goTo(words.admin.nav.sites);
      await hands.link(own('Bootshaus')).click();
      await hands.link(slip.title).click();
      await hands.field(slip.wifiName).fill(own('Gäste'));
      const preview = page.locator('#preview');
      await preview.locator('text', { hasText: own('Gäste') }).waitFor();
      // Slips have the language of their site, not of the user.
      await page
        .getByRole('radio', { name: languageName(input.language, input.language), exact: true })
        .check();
      const steps = page.locator('textarea[name^="steps-"]:visible');
      assert.deepEqual(await steps.evaluateAll((fields) => fields.map(({ id }) => id)), [
        `steps-${input.language}`,
      ]);
      await page.getByRole('radio', { name: slip.papers['receipt-58'] }).check();
      await preview.locator('svg[width="58mm"]').waitFor();
      assert.ok(!(await hands.button(slip.refresh).isVisible()), 'the preview follows the form by itself');
      const picture = { name: 'logo.png', mimeType: 'image/png', buffer: makePng(48, 24) };
      await page.locator('#logo').setInputFiles(picture);
      await preview.locator('.logo').waitFor();
      await hands.field(slip.wifiSecurity).selectOption('wpa');
      await hands.field(slip.wifiPassword).fill('am-wasser-2026');
      await hands.field(slip.ownText).fill('Frühstück ab 7 Uhr');
      await hands.button(slip.save).click();
      await hands.told(notices.slipSaved);
      assert.ok(!(await page.content()).includes('am-wasser-2026'), 'the password is not shown again');
      assert.equal(
        await widthOf(page.locator('.logo-now .logo')),
        48,
        'the logo is saved with the other fields',
      );

      await makeVouchers(page, 'Zimmer 4', 1, String(id));
      await follow(hands.link(words.result.print), /\/vouchers\/print\?/);
      const printed = await page.locator('.slip').textContent();
      for (const said of [own('Gäste'), 'am-wasser-2026', 'Frühstück ab 7 Uhr', 'Zimmer 4'])
        assert.ok(printed?.includes(said), said);
      await page.getByRole('img', { name: words.onPaper.join }).waitFor();
    });

    test('a site is tested and synced, with or without importing vouchers created by others', async () => {
      const controllerSite = CONSOLE_SITES[input.size];
      await addConsole(desk, console, { name: own('Strandhaus'), controllerSite });
      console.controls.fill({ site: controllerSite, count: 2 });
      await hands.goTo(words.admin.nav.sites);
      await hands.link(own('Strandhaus')).click();
      await hands.button(sites.test).click();
      await hands.told(sites.works(own('Strandhaus')));
      for (const [choice, imported] of [
        ['off', 0],
        ['on', 2],
      ] as const) {
        await hands.field(sites.imports).selectOption(choice);
        await hands.button(save).click();
        await hands.told(notices.siteSaved);
        assert.equal(await hands.field(sites.imports).inputValue(), choice);
        await hands.button(sites.syncNow).click();
        await hands.told(sites.synced(2, 0, 0, imported));
      }
    });

    test('a deactivated site is not offered until it is activated again', async () => {
      const offered = async () => {
        await page.goto('/');
        return page.locator('#site').getByText(own('Strandhaus')).count();
      };
      const open = async () => {
        await hands.goTo(words.admin.nav.sites);
        await hands.link(own('Strandhaus')).click();
      };
      await open();
      await hands.link(sites.deactivate).click();
      await page.getByRole('heading', { name: sites.deactivateAsk(own('Strandhaus')) }).waitFor();
      await hands.button(sites.deactivate).click();
      await page.locator('.pill', { hasText: sites.inactive }).waitFor();
      assert.equal(await offered(), 0);
      await open();
      await hands.button(sites.activate).click();
      await hands.told(sites.activated);
      assert.equal(await offered(), 1);
    });
  });
