// The second factor in a real browser: set up with the secret on the page and used to log in, on a desktop and, without
// JavaScript, on a phone; and required of users who have none yet.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { appCode } from '../web/enrolled.ts';
import { addUser, PASSWORD } from '../web/web-client.ts';
import {
  type Desk,
  EACH_ONCE,
  EMAIL,
  follow,
  handsOn,
  login,
  type Screen,
  SIZES,
  setupDesk,
  WORDS,
} from './desk.ts';

const STEP_MS = 30_000;

let desk: Desk;
before(async () => {
  desk = await setupDesk();
});
after(() => desk.close());

async function typePassword(page: Page): Promise<void> {
  await page.goto('/login?next=%2Faccount');
  await page.locator('#email').fill(EMAIL);
  await page.locator('#password').fill(PASSWORD);
  await page.locator('#password').press('Enter');
  await page.waitForURL(/\/login\/code/);
}

test('a second factor is set up and then required for login, and a recovery code works too', async () => {
  const { account, nav, secondFactor: text, admin } = WORDS.de;
  const page = await desk.open();
  await login(page);
  await page.getByRole('link', { name: nav.account }).click();
  await follow(page.getByRole('link', { name: text.begin }), '/account/second-factor/new');
  const secret = (await page.locator('.secret-text').innerText()).replaceAll(' ', '');
  await page.getByLabel(text.setup.code).fill(appCode(desk.service, secret));
  await page.getByLabel(text.setup.code).press('Enter');
  await page.getByRole('heading', { name: text.codes.turnedOn }).waitFor();
  // The codes come after the heading.
  await page.waitForLoadState();
  const codes = (await page.locator('.secret-text').innerText()).split('\n');
  assert.equal(codes.length, 10);
  await page.getByRole('link', { name: admin.stored }).click();
  await page.getByRole('heading', { name: account.title }).waitFor();
  await follow(page.getByRole('button', { name: nav.logout }), /\/login/);

  await typePassword(page);
  desk.service.clock.advance(STEP_MS);
  // The browser sets the autofocus with the first frame, which may come after the load event.
  await page.locator('#code:focus').waitFor();
  await page.keyboard.type(appCode(desk.service, secret));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: account.title }).waitFor();
  await page.context().close();

  const phone = await desk.open({ language: 'en', size: 'phone', options: { javaScriptEnabled: false } });
  const { en } = WORDS;
  await typePassword(phone);
  await phone.getByLabel(en.secondFactor.login.code, { exact: true }).fill('000000');
  await phone.getByRole('button', { name: en.secondFactor.login.button }).click();
  await phone.getByRole('alert').getByText(en.secondFactor.login.wrong).waitFor();
  await phone.getByLabel(en.secondFactor.login.code, { exact: true }).fill(codes[0] ?? '');
  await phone.getByRole('button', { name: en.secondFactor.login.button }).click();
  await phone.getByRole('heading', { name: en.account.title }).waitFor();
  await phone.getByRole('link', { name: en.secondFactor.switchOff.button }).click();
  await phone.getByLabel(en.secondFactor.login.code, { exact: true }).fill(codes[1] ?? '');
  await phone.getByRole('button', { name: en.secondFactor.switchOff.button }).click();
  await phone.getByText(en.secondFactor.off).waitFor();
});

/** Sets up the required second factor, then continues to the page that the user wanted. */
async function setupAsRequired(page: Page, input: Screen, path: string): Promise<void> {
  const { words, field, button, link, shown } = handsOn(page, input);
  const { setup } = words.secondFactor;
  await shown(setup.required);
  assert.equal(await page.getByRole('navigation').count(), 0, 'there is no navigation to other pages');
  const secret = (await page.locator('.secret-text').innerText()).replaceAll(' ', '');
  await field(setup.code).fill('000000');
  await follow(button(setup.button), /second-factor/);
  await page.locator('#errors:focus').waitFor();
  const error = await page.locator('#errors').boundingBox();
  assert.ok(
    error && error.y > 0 && error.y + error.height < SIZES[input.size].height,
    'the error is in view',
  );
  await field(setup.code).fill(appCode(desk.service, secret));
  await button(setup.button).click();
  await follow(link(words.admin.stored), (url) => url.pathname === path);
}

for (const input of EACH_ONCE)
  test(`a required second factor must be set up first, in ${input.language} on a ${input.size}`, async () => {
    const [boss, clerk] = [`boss-${input.language}@example.org`, `clerk-${input.language}@example.org`];
    await addUser(desk.service, boss, 'admin');
    await addUser(desk.service, clerk, 'operator');
    const page = await desk.open(input);
    const { words, field, button, goTo, told } = handsOn(page, input);
    const { admin, secondFactor, form } = words;
    const rule = field(secondFactor.users.rule);
    await login(page, PASSWORD, boss);
    await goTo(admin.nav.users);
    await rule.selectOption('everyone');
    await button(admin.save).click();
    await setupAsRequired(page, input, '/users');
    await page.getByRole('heading', { name: admin.users.title, level: 1 }).waitFor();

    const phone = await desk.open(input);
    await phone.goto('/login');
    await phone.locator('#email').fill(clerk);
    await phone.locator('#password').fill(PASSWORD);
    await phone.locator('#password').press('Enter');
    await setupAsRequired(phone, input, '/');
    await phone.getByRole('navigation').waitFor();
    await phone.goto('/');
    await phone.getByRole('heading', { name: form.title, level: 1 }).waitFor();

    await rule.selectOption('nobody');
    await follow(button(admin.save), (url) => url.pathname === '/users');
    await told(words.notices.secondFactorRule);
    assert.equal(await rule.inputValue(), 'nobody');
    await phone.context().close();
    await page.context().close();
  });
