// Conveniences at a front desk: copying without the clipboard API, saving a secret as a file, a profile that keeps the
// typed values, and the language switch in the menu.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { TESTER } from '../support/actors.ts';
import { until } from '../support/until.ts';
import { type Desk, follow, makeVouchers, setupDesk, stopTimers, untilMade, WORDS } from './desk.ts';

const { de, en } = WORDS;
let desk: Desk;
let elsewhere: number;
before(async () => {
  desk = await setupDesk();
  elsewhere = await desk.service.addSite('default', 'Haus B');
  const limits = { maxUses: 5, expireMinutes: 120, downKbps: 2_000, upKbps: 0, quotaMb: 0 };
  await desk.service.beside.profiles.add(
    { name: 'Tagung', ...limits, siteIds: [] },
    { actor: TESTER, atMs: 1 },
  );
});
after(() => desk.close());

test('over plain HTTP, where browsers offer no clipboard API, the code can still be copied', async () => {
  const page = await desk.openLoggedIn({ options: { permissions: ['clipboard-read'] } });
  // The test keeps the clipboard API under another name: browsers treat 127.0.0.1 as secure.
  await page.addInitScript(
    "window.lent = navigator.clipboard; Object.defineProperty(navigator, 'clipboard', { value: undefined })",
  );
  await makeVouchers(page, 'Unverschlüsselt');
  const code = await page.locator('.hero .code').innerText();
  await stopTimers(page);
  await page.getByRole('button', { name: de.result.copy }).click();
  await page.getByRole('button', { name: de.result.copied }).waitFor();
  assert.equal(await page.evaluate('lent.readText()'), code);
  assert.equal(await page.locator('textarea').count(), 0);

  await page.goto('/vouchers');
  await page.locator('.menu summary').first().click();
  const menu = page.locator('.menu[open]');
  await menu.getByRole('button', { name: de.result.copy }).click();
  await menu.getByRole('button', { name: de.result.copied }).waitFor();
  assert.ok(await page.evaluate("document.activeElement.matches('.menu[open] [data-copy]')"));
  await page.context().close();
});

test('a form whose response shows a secret is sent once, however often the button is clicked', async () => {
  const page = await desk.openLoggedIn();
  await page.goto('/keys');
  await page.locator('#name').fill('Doppelt');
  // Counts the form instead of sending it, as if the response took a long time.
  await page.evaluate(`window.sent = 0; document.addEventListener('submit', (event) => {
    if (!event.defaultPrevented) window.sent++;
    event.preventDefault();
  })`);
  const button = page.getByRole('button', { name: de.admin.keys.add });
  for (let clicks = 0; clicks < 3; clicks++) await button.click();
  assert.equal(await page.evaluate('window.sent'), 1);
  await page.context().close();
});

test('a click on an own duration leads to its field; the arrow keys stay among the choices', async () => {
  const page = await desk.openLoggedIn();
  await page.getByRole('radio', { name: de.form.own }).click();
  await page.keyboard.type('3');
  assert.equal(await page.locator('#duration').inputValue(), '3');
  await page.getByRole('radio', { name: de.presets.week }).click();
  await page.keyboard.press('ArrowRight');
  assert.ok(await page.locator('#validity-own:focus').count());
  await page.context().close();
});

test('a secret that is shown once can be saved as a file', async () => {
  const page = await desk.openLoggedIn();
  await page.goto('/keys');
  await page.locator('#name').fill('Buchungssystem');
  await follow(page.getByRole('button', { name: de.admin.keys.add }), '/keys');
  const secret = await page.locator('.secret-text').innerText();
  const loading = page.waitForEvent('download');
  await page.getByRole('button', { name: de.admin.saveAsFile }).click();
  const file = await loading;
  assert.equal(file.suggestedFilename(), 'gastpass.txt');
  assert.equal(readFileSync(await file.path(), 'utf8'), `${secret}\n`);
  await page.context().close();
});

for (const javaScriptEnabled of [true, false])
  test(`${javaScriptEnabled ? 'with' : 'without'} JavaScript the summary of errors has the focus and leads to the fields`, async () => {
    const page = await desk.openLoggedIn({ options: { javaScriptEnabled } });
    await page.goto('/users/add');
    // These values pass the checks of the browser, but not those of the service.
    await page.locator('#email').fill('kein@ort');
    await page.locator('#name').fill('\u200b');
    await follow(page.getByRole('button', { name: de.invitation.users.invite }), '/users/add');
    assert.match(await page.title(), /^Fehler: /);
    // The browser sets the autofocus with the first frame, which may come after the load event.
    await page.locator('#errors:focus').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const [first] = await page
      .locator('#errors a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    await page.locator(`${first}:focus`).waitFor();
    await page.context().close();
  });

test('a message is announced: it changes after the page has opened, and is not repeated by a reload', async () => {
  const page = await desk.openLoggedIn();
  await page.addInitScript(
    "addEventListener('DOMContentLoaded', () => new MutationObserver(() => { window.announced = true; }).observe(document.querySelector('.message') ?? document, { childList: true }))",
  );
  await page.goto('/settings');
  await follow(page.getByRole('button', { name: de.admin.save, exact: true }), '/settings');
  await page.getByRole('status').getByText(de.notices.settingsSaved).waitFor();
  await until(() => page.evaluate<boolean>('window.announced === true'));
  await page.reload();
  assert.equal(await page.getByRole('status').count(), 0);
  await page.context().close();
});

for (const javaScriptEnabled of [true, false])
  test(`${javaScriptEnabled ? 'with' : 'without'} JavaScript a profile keeps name and site, and Enter submits`, async () => {
    const page = await desk.openLoggedIn({ options: { javaScriptEnabled } });
    const name = `Gast ${javaScriptEnabled}`;
    await page.locator('#site').selectOption(String(elsewhere));
    await page.locator('#name').fill(name);
    await follow(page.getByRole('button', { name: 'Tagung' }), /profile=/);
    assert.equal(await page.locator('#site').inputValue(), String(elsewhere));
    assert.ok(await page.locator('#down').isVisible(), 'the limits of the profile are visible');
    await page.locator('#name').press('Enter');
    await untilMade(page);
    const [row] = desk.service.rows('select site_id, max_uses from vouchers where name like ?', `%_${name}`);
    assert.deepEqual({ ...row }, { site_id: elsewhere, max_uses: 5 });
    await page.context().close();
  });

test('a click into a prefilled number and typing replaces it, and the button says how many', async () => {
  for (const size of ['desktop', 'phone'] as const) {
    const page = await desk.openLoggedIn({ size });
    await page.locator('#count').click();
    await page.keyboard.type('60');
    assert.equal(await page.locator('#count').inputValue(), '60');
    await page.getByRole('button', { name: de.form.buttonMany('60'), exact: true }).waitFor();
    await page.locator('#count').fill('1');
    await page.getByRole('button', { name: de.form.button, exact: true }).waitFor();
    await page.context().close();
  }
});

test('changing the language in the menu keeps the page', async () => {
  for (const size of ['desktop', 'phone'] as const) {
    const page = await desk.openLoggedIn({ size });
    await page.goto('/vouchers?state=in-use');
    if (size === 'phone') await page.getByRole('button', { name: de.nav.more }).click();
    await page.getByRole('navigation').getByRole('button', { name: 'EN', exact: true }).click();
    await page.getByRole('heading', { name: en.list.title }).waitFor();
    assert.match(page.url(), /\/vouchers\?state=in-use$/);
    await page.context().close();
  }
});
