// What is done once in a while, in a real browser: choosing a language, changing the password, issuing a key
// that is shown once and works.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PASSWORD } from '../web/visitor.ts';
import { type Desk, setUpDesk, signIn, WORDS } from './desk.ts';

const { de, en } = WORDS;
const NEXT_PASSWORD = 'ein noch besseres Passwort';

let desk: Desk;
before(async () => {
  desk = await setUpDesk();
});
after(() => desk.close());

test('the language chosen at the door stays, and can be changed in the account', async () => {
  const page = await desk.open({ language: 'de' });
  await page.goto('/login');
  await page.getByRole('button', { name: 'English' }).click();
  await page.getByRole('heading', { name: en.signIn.title }).waitFor();
  await signIn(page);
  await page.getByRole('link', { name: en.nav.account }).click();
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { name: de.account.title }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Deutsch' }).getAttribute('aria-pressed'), 'true');
  await page.context().close();
});

test('a key is shown once, and the API takes it', async () => {
  const page = await desk.openSignedIn();
  await page.getByRole('link', { name: de.admin.nav.keys }).click();
  await page.getByLabel(de.admin.keys.name, { exact: true }).fill('Buchungssystem');
  await page.getByRole('button', { name: de.admin.keys.add }).click();
  const key = await page.locator('.secret-text').innerText();
  const made = await desk.service.call('POST', 'vouchers.php', { key, body: { site_id: 1, name: 'Gast' } });
  assert.equal(made.status, 201);
  await page.getByRole('link', { name: de.admin.stored }).click();
  await page.getByRole('cell', { name: 'Buchungssystem' }).waitFor();
  assert.ok(!(await page.content()).includes(key));
  await page.context().close();
});

test('a new password works, the old one does not, and other browsers are signed out', async () => {
  const page = await desk.openSignedIn();
  const elsewhere = await desk.open();
  await signIn(elsewhere);
  await page.getByRole('link', { name: de.nav.account }).click();
  await page.getByLabel(de.account.current).fill(PASSWORD);
  await page.getByLabel(de.account.next).fill(NEXT_PASSWORD);
  await page.getByRole('button', { name: de.account.change }).click();
  assert.equal(await page.getByRole('status').innerText(), de.account.changed);
  await elsewhere.goto('/');
  assert.match(elsewhere.url(), /\/login/);
  await elsewhere.locator('#email').fill('anna@example.org');
  await elsewhere.locator('#password').fill(PASSWORD);
  await elsewhere.locator('#password').press('Enter');
  assert.equal(await elsewhere.getByRole('alert').innerText(), de.signIn.wrong);
  await signIn(elsewhere, NEXT_PASSWORD);
});
