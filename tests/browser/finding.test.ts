// Finding a voucher at the front desk: the list follows while the user types or chooses a filter, the menu of a row by
// keyboard, and the way back to the filtered list; with and without JavaScript.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Desk, follow, makeVouchers, setupDesk, stopTimers, WORDS } from './desk.ts';
import { brokenWordsOf, overflowOf } from './layout.ts';

const { list, result, revoke } = WORDS.de;
let desk: Desk;
before(async () => {
  desk = await setupDesk();
  await desk.service.addSite('default', 'Haus B');
  const page = await desk.openLoggedIn();
  await makeVouchers(page, 'Tagung', 3);
  await makeVouchers(page, 'Frau Okafor');
  await page.context().close();
});
after(() => desk.close());

const count = (page: Page) => page.getByRole('status');
const codes = (page: Page) => page.locator('tbody .code').allInnerTexts();
const field = (page: Page) => page.getByLabel(list.search);
const menuOf = (page: Page, code: string) => page.locator(`summary[aria-label="${list.actions(code)}"]`);

test('the list follows while the user types, tells the number of results and keeps the URL', async () => {
  const page = await desk.openLoggedIn();
  await page.goto('/vouchers');
  await count(page).getByText('4 Voucher').waitFor();
  const [code = ''] = await codes(page);
  let loads = 0;
  page.on('load', () => loads++);
  await field(page).pressSequentially(code.slice(2, 8));
  // A part of the text may already have one result.
  await page.waitForURL((url) => url.searchParams.get('q') === code.slice(2, 8), { waitUntil: 'commit' });
  await count(page).getByText('1 Voucher').waitFor();
  assert.deepEqual(await codes(page), [code]);
  assert.equal(await page.locator('[name=next]').first().inputValue(), `/vouchers?q=${code.slice(2, 8)}`);
  assert.equal(await page.evaluate('document.activeElement.id'), 'q');
  await field(page).fill('');
  await count(page).getByText('4 Voucher').waitFor();
  assert.equal(new URL(page.url()).search, '');
  // The replaced rows can still be selected and copied.
  await page.getByRole('checkbox', { name: list.selectAll }).check();
  assert.equal(await page.locator('[name="voucher"]:checked').count(), 4);
  assert.equal(loads, 0, 'the page was not loaded again');
  await page.context().close();
});

test('a late answer to an earlier text is ignored, and no keystroke is lost', async () => {
  const page = await desk.openLoggedIn();
  await page.goto('/vouchers');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/q=Tag$/, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  const asked = page.waitForRequest(/q=Tag$/);
  await field(page).pressSequentially('Tag');
  await asked;
  await field(page).fill('Okafor');
  await count(page).getByText('1 Voucher').waitFor();
  release();
  await page.unrouteAll({ behavior: 'wait' });
  assert.equal(await field(page).inputValue(), 'Okafor');
  assert.equal((await codes(page)).length, 1);
  // A filter chosen at once, before the list has followed, keeps what was typed.
  await field(page).fill('Tagung');
  await page.getByLabel(list.created).selectOption(list.periods.today);
  await page.waitForURL(/q=Tagung&created=today/);
  assert.equal(await field(page).inputValue(), 'Tagung');
  await count(page).getByText('3 Voucher').waitFor();
  await page.context().close();
});

test('when the session has ended, typing leads to the login page', async () => {
  const page = await desk.openLoggedIn();
  await page.goto('/vouchers');
  await page.context().clearCookies();
  await field(page).pressSequentially('Tagung');
  await page.waitForURL(/\/login\?/);
  await page.context().close();
});

for (const javaScriptEnabled of [true, false])
  test(`${javaScriptEnabled ? 'with' : 'without'} JavaScript the filter is kept on the way to a voucher and back`, async () => {
    const page = await desk.openLoggedIn({ size: 'phone', options: { javaScriptEnabled } });
    await page.goto('/vouchers');
    await field(page).fill('Tagung');
    await page.getByLabel(list.created).selectOption(list.periods.today);
    await page.getByLabel(list.state).selectOption(list.states.unused);
    const button = page.getByRole('button', { name: list.find });
    assert.equal(await button.count(), javaScriptEnabled ? 0 : 1);
    if (!javaScriptEnabled) await follow(button, /q=Tagung/);
    await page.waitForURL(/q=Tagung&created=today&state=unused/);
    await count(page).getByText('3 Voucher').waitFor();
    // Without JavaScript, the form sends empty fields too.
    const filterOf = ({ pathname, searchParams }: URL) =>
      pathname + [...searchParams].filter(([, value]) => value !== '').toSorted();
    const left = filterOf(new URL(page.url()));
    const isFiltered = (url: URL) => filterOf(url) === left;
    const [, second = ''] = await codes(page);
    await follow(page.locator('.listed').first(), /\/vouchers\/\d+\?from=/);
    await follow(page.getByRole('link', { name: list.backToList }), isFiltered);
    await menuOf(page, second).click();
    const menu = page.locator('.menu[open]');
    await follow(menu.getByRole('link', { name: result.print }), /\/vouchers\/print\?/);
    await follow(page.getByRole('link', { name: list.backToList }), isFiltered);
    await page.context().close();
  });

test('the menu of a row works with the keyboard alone, and a voucher is revoked through it', async () => {
  const page = await desk.openLoggedIn({ options: { permissions: ['clipboard-read', 'clipboard-write'] } });
  await page.goto('/vouchers?q=Okafor');
  const [code = ''] = await codes(page);
  const summary = menuOf(page, code);
  await summary.focus();
  await page.keyboard.press('Enter');
  const menu = page.locator('.menu[open]');
  await menu.waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.activeElement.ariaLabel'), list.actions(code));
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), list.open);
  await page.keyboard.press('Tab');
  await stopTimers(page);
  await page.keyboard.press('Enter');
  await menu.getByText(result.copied).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), code);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), revoke.revoke);
  await follow(menu.getByRole('link', { name: revoke.revoke }), /\/revoke\?from=/);
  await follow(page.getByRole('button', { name: revoke.revoke }), /\/vouchers\/\d+\?from=/);
  await follow(page.getByRole('link', { name: list.backToList }), /\/vouchers\?q=Okafor$/);
  await summary.click();
  assert.deepEqual(
    (await menu.locator('a, button').allInnerTexts()).map((text) => text.trim()),
    [list.open],
  );
  await page.locator('h1').click();
  await menu.waitFor({ state: 'detached' });
  await page.context().close();
});

test('an open menu fits on a phone and on a tablet', async () => {
  for (const width of [320, 390, 820]) {
    const page = await desk.openLoggedIn({ options: { viewport: { width, height: 844 } } });
    await page.goto('/vouchers?state=unused&q=Tagung');
    for (const summary of await page.locator('.menu summary').all()) {
      await summary.click();
      const box = await page.locator('.menu[open] > div').boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
      assert.equal(await overflowOf(page), 0, String(width));
      await page.keyboard.press('Escape');
    }
    assert.deepEqual(await brokenWordsOf(page), []);
    await page.context().close();
  }
});
