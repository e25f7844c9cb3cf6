// Selecting vouchers in the list and printing or revoking them: with the mouse, with the keyboard, a whole page at
// once, and without JavaScript. Also the page of their batch, from which the unused vouchers are revoked.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type Desk, follow, makeVouchers, setupDesk, WORDS } from './desk.ts';

const { list, bulkRevocation: revocation, batches } = WORDS.de;
let desk: Desk;
before(async () => {
  desk = await setupDesk();
  const page = await desk.openLoggedIn();
  await makeVouchers(page, 'Tagung', 3);
  await page.context().close();
});
after(() => desk.close());

const print = (page: Page) => page.getByRole('button', { name: list.printSelected });
const topOf = async (thing: Locator) => (await thing.boundingBox())?.y ?? Number.NaN;
const chosen = (page: Page) => new URL(page.url()).searchParams.getAll('voucher').length;

test('each row is selected with the mouse or the keyboard, and the selected voucher is printed', async () => {
  const page = await desk.openLoggedIn({ size: 'phone' });
  await page.goto('/vouchers');
  assert.equal(await print(page).count(), 0, 'nothing is selected yet');
  const code = (await page.locator('tbody .code').nth(1).textContent()) ?? '';
  // On a phone the whole card is a link; the checkbox lies above the link.
  await page.locator('tbody .tick').nth(1).click();
  assert.ok(await page.getByRole('checkbox', { name: list.select(code) }).isChecked());
  await page.getByRole('checkbox', { name: list.select(code) }).press('Space');
  assert.equal(await print(page).count(), 0);
  await page.getByRole('checkbox', { name: list.select(code) }).press('Space');
  await follow(print(page), /\/vouchers\/print\?/);
  assert.equal(chosen(page), 1);
  assert.ok((await page.locator('main').textContent())?.includes(code));
  await page.context().close();
});

test('all vouchers of a page are selected at once, and one of them can be deselected', async () => {
  const page = await desk.openLoggedIn();
  await page.goto('/vouchers');
  assert.equal(await print(page).count(), 0, 'nothing is selected yet');
  const all = page.getByRole('checkbox', { name: list.selectAll });
  await all.check();
  assert.equal(await page.locator('[name="voucher"]:checked').count(), 3);
  await page.locator('[name="voucher"]').first().uncheck();
  assert.equal(await page.getByRole('status').filter({ hasText: list.selected }).innerText(), '2 ausgewählt');
  assert.equal(await all.isChecked(), false);
  await follow(print(page), /\/vouchers\/print\?/);
  assert.equal(chosen(page), 2);
  await page.context().close();
});

test('a phone shows three vouchers at once, and the action bar takes one line above the menu', async () => {
  for (const width of [390, 320]) {
    const page = await desk.openLoggedIn({ options: { viewport: { width, height: 844 } } });
    await page.goto('/vouchers');
    const menu = await topOf(page.locator('nav.side'));
    const third = await page.locator('tbody tr').nth(2).boundingBox();
    assert.ok(third);
    if (width === 390) assert.ok(third.y + third.height <= menu, `${third.y} + ${third.height} > ${menu}`);
    await page.locator('tbody .tick').first().click();
    const bar = await page.locator('.bar').boundingBox();
    assert.ok(bar && bar.height <= 72 && bar.y + bar.height <= menu + 1, JSON.stringify(bar));
    const isWhole = `[...document.querySelectorAll('.bar > *')].every(
      (part) => part.getBoundingClientRect().left >= 0 && part.scrollWidth <= part.clientWidth + 1,
    )`;
    assert.ok(await page.evaluate<boolean>(isWhole), 'the labels fit');
    await page.context().close();
  }
});

test('on a phone the list scrolls behind the menu', async () => {
  const page = await desk.openLoggedIn({ size: 'phone' });
  await page.goto('/vouchers');
  const menu = await page.locator('nav.side').boundingBox();
  assert.ok(menu);
  // Scroll each checkbox to the middle of the menu once.
  for (const tick of await page.locator('tbody .tick input').all()) {
    const y = await topOf(tick);
    await page.evaluate(`scrollBy(0, ${y - menu.y - 20})`);
    const at = await tick.boundingBox();
    const seen = await page.evaluate<boolean>(
      `document.elementFromPoint(${(at?.x ?? 0) + 10}, ${menu.y + 30}).closest('nav') !== null`,
    );
    assert.ok(seen, 'a checkbox covers the menu');
  }
  await page.context().close();
});

test('without JavaScript vouchers can still be selected and printed', async () => {
  const page = await desk.openLoggedIn({ options: { javaScriptEnabled: false } });
  await page.goto('/vouchers');
  assert.equal(await page.getByRole('checkbox', { name: list.selectAll }).count(), 0);
  await page.locator('[name="voucher"]').nth(2).check();
  await follow(print(page), /\/vouchers\/print\?/);
  assert.equal(chosen(page), 1);
  await page.context().close();
});

test('without JavaScript selected vouchers are revoked after a question, and the report says so', async () => {
  const page = await desk.openLoggedIn({ options: { javaScriptEnabled: false } });
  await makeVouchers(page, 'Messe', 3);
  await page.goto('/vouchers?q=Messe');
  for (const index of [0, 1]) await page.locator('[name="voucher"]').nth(index).check();
  await follow(page.getByRole('button', { name: revocation.selected }), /\/vouchers\/revoke\?/);
  await follow(page.getByRole('button', { name: revocation.button(2) }), /\/revocations\//);
  await page.getByRole('heading', { name: revocation.all(2) }).waitFor();
  assert.equal(await page.locator('tbody tr').count(), 2);
  await page.context().close();
});

test('the unused vouchers of a batch are revoked from its page, on a phone and with the keyboard', async () => {
  const page = await desk.openLoggedIn({ size: 'phone' });
  await makeVouchers(page, 'Kongress', 6);
  desk.service.change(
    "update vouchers set used_count = 1, first_used_at_s = created_at_s where id = (select min(id) from vouchers where name like '%Kongress')",
  );
  await page.goto('/vouchers?q=Kongress');
  // The vouchers of the batch are folded into one line.
  await follow(page.getByRole('link', { name: '6 Voucher' }), /\/batches\//);
  await page.getByText(batches.used(1, 6)).waitFor();
  assert.equal(await page.getByRole('progressbar', { name: batches.used(1, 6) }).getAttribute('value'), '1');
  const revoke = page.getByRole('link', { name: batches.revokeUnused(5) });
  await revoke.focus();
  await Promise.all([page.waitForURL(/\/revoke$/), page.keyboard.press('Enter')]);
  await follow(page.getByRole('button', { name: revocation.button(5) }), /\/revocations\//);
  await page.getByRole('heading', { name: revocation.all(5) }).waitFor();
  await follow(page.getByRole('link', { name: batches.back }), /\/batches\//);
  assert.equal(await page.getByRole('link', { name: batches.revokeUnused(5) }).count(), 0);
  await page.context().close();
});
