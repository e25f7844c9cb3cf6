// Vouchers until check-out at the front desk: chosen with a chip or a date, with and without JavaScript, and a series
// of vouchers with the keyboard alone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Desk, setupDesk, untilMade, WORDS } from './desk.ts';
import { overflowOf } from './layout.ts';

const { de, en } = WORDS;
let desk: Desk;
let abroad: number;
before(async () => {
  desk = await setupDesk();
  abroad = await desk.service.addSite('default', 'New York');
});
after(() => desk.close());

const newest = (count: number) =>
  desk.service.rows(`select name, ends_at_s, max_uses from vouchers order by id desc limit ${count}`);
const shownEnd = (page: Page) => page.locator('.end:visible').innerText();

test('on a phone two nights are one tap, and the button needs no scrolling', async () => {
  const page = await desk.openLoggedIn({ size: 'phone', options: { hasTouch: true, isMobile: true } });
  await page.getByLabel(`2 ${de.form.night(2)}`).check();
  const end = await shownEnd(page);
  assert.match(end, /^bis .*11:00\sUhr$/);
  const button = page.getByRole('button', { name: de.form.button });
  const [{ y = 0, height = 0 } = {}, menu] = [
    (await button.boundingBox()) ?? undefined,
    await page.getByRole('navigation', { name: de.nav.main }).boundingBox(),
  ];
  assert.ok(y + height <= (menu?.y ?? 0), 'the button is above the menu');
  await page.locator('#name').fill('Zimmer 12');
  await button.click();
  await untilMade(page);
  await page.getByText(`gültig ${end}`).waitFor();
  assert.equal(await overflowOf(page), 0);
  const field = page.locator('.again #name');
  assert.equal(await page.locator('.again #name:focus').count(), 0, 'no keyboard over the code');
  const before = page.url();
  await field.fill('Zimmer 13');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => String(url) !== before);
  await untilMade(page);
  await page.locator('.again #name:focus').waitFor();
  await page.context().close();
});

test('a series is name, Enter, name, Enter', async () => {
  const page = await desk.openLoggedIn();
  await page.getByLabel(`3 ${de.form.night(3)}`).check();
  await page.getByRole('radio', { name: '2', exact: true }).check();
  await page.locator('#name').fill('Zimmer 1');
  await page.keyboard.press('Enter');
  for (const name of ['Zimmer 2', 'Zimmer 3']) {
    await untilMade(page);
    await page.locator('.again #name:focus').waitFor();
    const before = page.url();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => String(url) !== before);
  }
  await untilMade(page);
  const made = newest(3);
  assert.deepEqual(
    made.map(({ name }) => String(name).replace(/^.*_/, '')),
    ['Zimmer 3', 'Zimmer 2', 'Zimmer 1'],
  );
  assert.equal(new Set(made.map(({ ends_at_s, max_uses }) => `${ends_at_s} ${max_uses}`)).size, 1);
  await page.context().close();
});

test('without JavaScript a date and many devices are chosen, and remembered', async () => {
  const page = await desk.openLoggedIn({
    language: 'en',
    size: 'phone',
    options: { javaScriptEnabled: false },
  });
  const date = (await page.locator('#until').getAttribute('min')) ?? '';
  await page.locator('#name').fill('Room 7');
  await page.locator('#validity-until').check();
  await page.locator('#until').fill(date);
  await page.getByRole('radio', { name: en.form.moreUses }).check();
  await page.locator('#uses-more').fill('8');
  await page.getByRole('button', { name: en.form.button }).click();
  await page.locator('#validity-error').waitFor();
  assert.equal(await page.locator('#until').inputValue(), date, 'today, after check-out: nothing is lost');
  await page.getByLabel(`7 ${en.form.night(7)}`).check();
  await page.getByRole('button', { name: en.form.button }).click();
  await page.getByText(/8 devices, valid until/).waitFor();
  await page.goto('/');
  assert.ok(await page.getByLabel(`7 ${en.form.night(7)}`).isChecked());
  assert.equal(await page.locator('#uses-more').inputValue(), '8');
  await page.context().close();
});

test('the shown end follows the check-out time of the chosen site', async () => {
  desk.service.change(`update sites set check_out = '09:15' where id = ${abroad}`);
  const page = await desk.openLoggedIn();
  await page.getByLabel(`1 ${de.form.night(1)}`).check();
  await page.locator('#site').selectOption('1');
  assert.match(await shownEnd(page), /11:00/);
  await page.locator('#site').selectOption(String(abroad));
  assert.match(await shownEnd(page), /09:15/);
  await page.context().close();
});

test('another site brings what was chosen there last, unless the user has already chosen', async () => {
  const page = await desk.openLoggedIn();
  await page.locator('#name').fill('Room 9');
  await page.locator('#site').selectOption(String(abroad));
  await page.getByLabel(`7 ${de.form.night(7)}`).check();
  await page.getByRole('radio', { name: de.form.moreUses }).check();
  await page.locator('#uses-more').fill('9');
  await page.locator('#name').press('Enter');
  await untilMade(page);
  await page.goto('/?site=1');
  assert.ok(await page.getByRole('radio', { name: '1', exact: true }).isChecked());
  await page.locator('#site').selectOption(String(abroad));
  assert.ok(await page.getByLabel(`7 ${de.form.night(7)}`).isChecked());
  assert.equal(await page.locator('#uses-more').inputValue(), '9');
  await page.getByLabel(`2 ${de.form.night(2)}`).check();
  await page.locator('#site').selectOption('1');
  assert.ok(await page.getByLabel(`2 ${de.form.night(2)}`).isChecked());
  await page.context().close();
});

test('a form that stays open until the next day shows the dates of that day', async () => {
  // There the next day begins in half an hour.
  desk.service.change(`update sites set time_zone = 'Pacific/Fiji'`);
  const page = await desk.openLoggedIn();
  await page.clock.install({ time: '2026-01-15T12:00:00' });
  await page.reload();
  await page.getByLabel(`1 ${de.form.night(1)}`).check();
  const before = await shownEnd(page);
  const first = await page.locator('#until').getAttribute('min');
  desk.service.clock.advance(40 * 60_000);
  await page.clock.fastForward('15:00:00');
  await page.locator('.end:visible').filter({ hasNotText: before }).waitFor();
  assert.notEqual(await page.locator('#until').getAttribute('min'), first);
  await page.context().close();
});
