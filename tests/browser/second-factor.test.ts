// A second factor in a real browser: set up with the secret on the page, used for signing in, on a desk and,
// without JavaScript, on a phone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { appCode } from '../web/enrolled.ts';
import { PASSWORD } from '../web/visitor.ts';
import { type Desk, EMAIL, setUpDesk, signIn, WORDS } from './desk.ts';

const STEP_MS = 30_000;

let desk: Desk;
before(async () => {
  desk = await setUpDesk();
});
after(() => desk.close());

async function typePassword(page: Page): Promise<void> {
  await page.goto('/login?next=%2Faccount');
  await page.locator('#email').fill(EMAIL);
  await page.locator('#password').fill(PASSWORD);
  await page.locator('#password').press('Enter');
  await page.waitForURL(/\/login\/code/);
}

test('it is set up with the secret on the page, signs in from then on, and a recovery code does too', async () => {
  const { account, nav, secondFactor: text, admin } = WORDS.de;
  const page = await desk.open();
  await signIn(page);
  await page.getByRole('link', { name: nav.account }).click();
  await page.getByRole('link', { name: text.begin }).click();
  const secret = (await page.locator('.secret-text').innerText()).replaceAll(' ', '');
  await page.getByLabel(text.setUp.code).fill(appCode(desk.service, secret));
  await page.getByLabel(text.setUp.code).press('Enter');
  await page.getByRole('heading', { name: text.codes.turnedOn }).waitFor();
  const codes = (await page.locator('.secret-text').innerText()).split('\n');
  assert.equal(codes.length, 10);
  await page.getByRole('link', { name: admin.stored }).click();
  await page.getByRole('heading', { name: account.title }).waitFor();
  await page.getByRole('button', { name: nav.signOut }).click();

  await typePassword(page);
  desk.service.clock.advance(STEP_MS);
  // The field has the focus.
  await page.keyboard.type(appCode(desk.service, secret));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: account.title }).waitFor();
  await page.context().close();

  const phone = await desk.open({ language: 'en', size: 'phone', options: { javaScriptEnabled: false } });
  const { en } = WORDS;
  await typePassword(phone);
  await phone.getByLabel(en.secondFactor.signIn.code, { exact: true }).fill('000000');
  await phone.getByRole('button', { name: en.secondFactor.signIn.button }).click();
  await phone.getByText(en.secondFactor.signIn.wrong).waitFor();
  await phone.getByLabel(en.secondFactor.signIn.code, { exact: true }).fill(codes[0] ?? '');
  await phone.getByRole('button', { name: en.secondFactor.signIn.button }).click();
  await phone.getByRole('heading', { name: en.account.title }).waitFor();
  await phone.getByRole('link', { name: en.secondFactor.switchOff.button }).click();
  await phone.getByLabel(en.secondFactor.signIn.code, { exact: true }).fill(codes[1] ?? '');
  await phone.getByRole('button', { name: en.secondFactor.switchOff.button }).click();
  await phone.getByText(en.secondFactor.off).waitFor();
});
