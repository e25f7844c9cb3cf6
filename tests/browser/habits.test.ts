// Habits of users and their browsers: no JavaScript, no mouse, a double click instead of a single click, copying the
// code, and a form that was filled in incompletely.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../web/web-client.ts';
import {
  type Desk,
  EMAIL,
  EVERY_OPTION,
  follow,
  handsOn,
  login,
  makeVouchers,
  setupDesk,
  stopTimers,
  untilMade,
  WORDS,
} from './desk.ts';

const { de } = WORDS;

let desk: Desk;
before(async () => {
  desk = await setupDesk();
});
after(() => desk.close());

const countVouchers = (name: string) =>
  desk.service.rows('select id from vouchers where name like ?', `%_${name}`).length;

async function pressTabUntil(page: Page, selector: string): Promise<void> {
  const isThere = `document.activeElement.matches(${JSON.stringify(selector)})`;
  for (let presses = 0; presses < 30 && !(await page.evaluate<boolean>(isThere)); presses++)
    await page.keyboard.press('Tab');
  assert.ok(await page.evaluate<boolean>(isThere), `the Tab key does not reach ${selector}`);
}

for (const input of EVERY_OPTION)
  test(`without JavaScript a voucher is created and printed in ${input.language} on a ${input.size}`, async () => {
    const page = await desk.open({ ...input, options: { javaScriptEnabled: false } });
    const { words, button, link, download } = handsOn(page, input);
    await login(page);
    await makeVouchers(page, 'Ohne Skript');
    const code = await page.locator('.hero .code').innerText();
    assert.equal(await button(words.result.copy).count(), 0);
    await follow(link(words.result.print), /\/vouchers\/print\?/);
    assert.equal(await page.locator('.slip .code').textContent(), code);
    assert.equal(String((await download(words.slip.pdf)).subarray(0, 5)), '%PDF-');
    if (input.size === 'phone') await button(words.nav.more).click();
    await button(words.nav.logout).click();
    await page.waitForURL(/\/login/);
    await page.context().close();
  });

test('the keyboard alone is enough to log in, create a voucher with a custom duration, and open its slip', async () => {
  const page = await desk.open();
  await page.goto('/login');
  // The browser sets the autofocus with the first frame, which may come after the load event.
  await page.locator('#email:focus').waitFor();
  await page.keyboard.type(EMAIL);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/');
  await page.locator('#name:focus').waitFor();
  await page.keyboard.type('Nur Tasten');
  await pressTabUntil(page, '[name="validity"]');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await pressTabUntil(page, '#duration');
  await page.keyboard.type('90');
  await pressTabUntil(page, '[name="unit"]');
  await page.keyboard.press('ArrowUp');
  await pressTabUntil(page, 'button.primary');
  await page.keyboard.press('Enter');
  await untilMade(page);
  const [row] = desk.service.rows('select expire_minutes from vouchers order by id desc limit 1');
  assert.equal(row?.expire_minutes, 90 * 60);
  await pressTabUntil(page, 'a[href^="/vouchers/print"]');
  await page.keyboard.press('Enter');
  await page.locator('.slip').waitFor();
  await page.context().close();
});

test('the first press of Tab offers to skip the navigation', async () => {
  const page = await desk.openLoggedIn();
  await page.goto('/vouchers');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#content$/);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate("document.activeElement.closest('main') !== null"), true);
  await page.context().close();
});

/** The first request creates its voucher, but its response never arrives. */
async function loseFirstResponse(page: Page): Promise<{ reached: Promise<void> }> {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  let sent = 0;
  await page.route('**/vouchers', async (route) => {
    sent += 1;
    if (sent > 1) return route.continue();
    await route.fetch({ maxRedirects: 0 });
    resolve();
  });
  return { reached };
}

/** The position of the button. A locator would wait for the response before it clicks; users do not. */
async function middleOf(page: Page, name: string): Promise<[number, number]> {
  const button = page.getByRole('button', { name });
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  assert.ok(box);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

test('a second click while the response is pending creates no second voucher', async () => {
  const page = await desk.openLoggedIn({ options: { javaScriptEnabled: false } });
  const { reached } = await loseFirstResponse(page);
  await page.locator('#name').fill('Ungeduldig');
  const place = await middleOf(page, de.form.button);
  await page.mouse.click(...place);
  await reached;
  await page.mouse.click(...place);
  await untilMade(page);
  await page.reload();
  assert.equal(countVouchers('Ungeduldig'), 1);
  await page.context().close();
});

test('with JavaScript a double click creates one voucher, and the button shows progress', async () => {
  const page = await desk.openLoggedIn();
  const { promise: said, resolve } = Promise.withResolvers<string>();
  await page.exposeFunction('say', resolve);
  await page.evaluate(`{
    const button = document.querySelector('form[action="/vouchers"] [type="submit"]');
    const note = () => say(button.disabled + ' ' + button.textContent);
    new MutationObserver(note).observe(button, { attributes: true, childList: true });
  }`);
  // The button changes after the form is sent. The form is delayed until then, so that the response cannot arrive
  // first.
  await page.route('**/vouchers', async (route) => {
    await said;
    await route.continue();
  });
  await page.locator('#name').fill('Doppelt');
  await page.getByRole('button', { name: de.form.button }).dblclick();
  await untilMade(page);
  assert.equal(await said, `true ${de.form.working}`);
  assert.equal(countVouchers('Doppelt'), 1);
  await page.context().close();
});

test('the copy button copies the code to the clipboard and confirms it', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await desk.openLoggedIn({ options: { permissions } });
  await makeVouchers(page, 'Kopiert');
  const code = await page.locator('.hero .code').innerText();
  await stopTimers(page);
  await page.getByRole('button', { name: de.result.copy }).click();
  await page.getByRole('button', { name: de.result.copied }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), code);
  await page.context().close();
});

test('an incomplete form keeps the typed values, and the field shows what is missing', async () => {
  const page = await desk.openLoggedIn();
  await page.locator('[name="uses"][value="3"]').check();
  await page.locator('#validity-own').check();
  await page.locator('#duration').fill('0');
  await follow(page.getByRole('button', { name: de.form.button }), '/vouchers');
  await page.locator('#name-error').waitFor();
  assert.equal(await page.locator('#name').getAttribute('aria-invalid'), 'true');
  assert.ok(await page.locator('[name="uses"][value="3"]').isChecked());
  assert.ok(await page.locator('#duration').isVisible());
  await page.context().close();
});
