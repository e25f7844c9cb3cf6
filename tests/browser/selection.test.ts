// Ticking vouchers in the list and printing them: by mouse, by keys, all of a page at once, and without a script.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Desk, makeVouchers, setUpDesk, WORDS } from './desk.ts';

const { list } = WORDS.de;
let desk: Desk;
before(async () => {
  desk = await setUpDesk();
  const page = await desk.openSignedIn();
  await makeVouchers(page, 'Tagung', 5);
  await page.context().close();
});
after(() => desk.close());

const print = (page: Page) => page.getByRole('button', { name: list.printSelected });
const chosen = (page: Page) => new URL(page.url()).searchParams.getAll('voucher').length;

test('each row is ticked by its name, by mouse or key, and what is ticked is printed', async () => {
  const page = await desk.openSignedIn({ size: 'phone' });
  await page.goto('/vouchers');
  assert.ok(await print(page).isDisabled(), 'nothing is ticked yet');
  const code = (await page.locator('.listed').nth(1).textContent()) ?? '';
  // On a phone the whole card is a link; the tick lies above it.
  await page.locator('.tick-of .tick').nth(1).click();
  assert.ok(await page.getByRole('checkbox', { name: list.select(code) }).isChecked());
  await page.getByRole('checkbox', { name: list.select(code) }).press('Space');
  assert.ok(await print(page).isDisabled());
  await page.getByRole('checkbox', { name: list.select(code) }).press('Space');
  await print(page).click();
  await page.waitForURL(/\/vouchers\/print\?/);
  assert.equal(chosen(page), 1);
  assert.ok((await page.locator('main').textContent())?.includes(code));
  await page.context().close();
});

test('all of a page are ticked at once, and a single one taken out again', async () => {
  const page = await desk.openSignedIn();
  await page.goto('/vouchers');
  const all = page.getByRole('checkbox', { name: list.selectAll });
  await all.check();
  assert.equal(await page.locator('[name="voucher"]:checked').count(), 5);
  await page.locator('[name="voucher"]').first().uncheck();
  assert.equal(await all.isChecked(), false);
  await print(page).click();
  await page.waitForURL(/\/vouchers\/print\?/);
  assert.equal(chosen(page), 4);
  await page.context().close();
});

test('without a script rows are ticked and printed all the same', async () => {
  const page = await desk.openSignedIn({ options: { javaScriptEnabled: false } });
  await page.goto('/vouchers');
  assert.equal(await page.getByRole('checkbox', { name: list.selectAll }).count(), 0);
  await page.locator('[name="voucher"]').nth(2).check();
  await print(page).click();
  await page.waitForURL(/\/vouchers\/print\?/);
  assert.equal(chosen(page), 1);
  await page.context().close();
});
