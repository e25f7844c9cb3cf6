// Tests printing on a receipt printer in a browser: two clicks order a job, the page follows its state by itself, and
// the menu of printers fits every screen.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addPrinter } from '../support/printers.ts';
import { violationsOf } from './axe.ts';
import { type Desk, EACH_ONCE, setupDesk, WORDS } from './desk.ts';
import { overflowOf } from './layout.ts';

const LONG_NAME = 'Donaudampfschifffahrtsgesellschaftssaele';
let desk: Desk;
before(async () => {
  desk = await setupDesk();
});
after(() => desk.close());

test('two clicks make and print a voucher, and the page says by itself that it was printed', async () => {
  await addPrinter(desk.service.beside);
  const page = await desk.openLoggedIn();
  await page.goto('/');
  await page.fill('#name', 'Zimmer 12');
  await page.getByRole('button', { name: WORDS.de.form.button }).click();
  await page.getByRole('button', { name: 'Drucken Rezeption' }).click();
  const state = page.locator('#printed-at');
  await state.getByText('Wartet auf Rezeption').waitFor();
  desk.service.change(
    `update messages set state = 'done', finished_at_ms = ${desk.service.clock.nowMs()} where channel = 'printer'`,
  );
  await state.getByText('Gedruckt auf Rezeption').waitFor();
  await page.context().close();
});

test('the menu of 12 printers with long names fits a desktop and a phone, and breaks no rule of accessibility', async () => {
  for (let n = 1; n <= 12; n++) await addPrinter(desk.service.beside, { name: `${LONG_NAME} ${n}` });
  for (const { language, size } of EACH_ONCE) {
    const page = await desk.openLoggedIn({ language, size, options: { reducedMotion: 'reduce' } });
    await page.goto('/');
    await page.fill('#name', 'Zimmer 12');
    await page.locator('.making .primary').click();
    const menu = page.locator('.print-at .menu');
    await menu.locator('summary').click();
    assert.ok((await menu.locator('button').count()) >= 12);
    assert.deepEqual([await overflowOf(page), await violationsOf(page)], [0, []], size);
    await menu.locator('button').last().click();
    await page.locator('#printed-at').waitFor();
    assert.equal(await overflowOf(page), 0, size);
    await page.context().close();
  }
});
