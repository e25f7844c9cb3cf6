// Single sign-on in a real browser, with a provider on another website: cookies survive the way there and back, and the
// Content Security Policy allows it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { SINGLE_SIGN_ON_TEXTS } from '../../src/features/single-sign-on/single-sign-on-texts.ts';
import { CLIENT, setupSingleSignOn, startProvider, type TestProvider } from '../web/oidc-provider.ts';
import { type Desk, setupDesk, WORDS } from './desk.ts';

const { nav } = WORDS.de;
const { de: text } = SINGLE_SIGN_ON_TEXTS;
let desk: Desk;
let provider: TestProvider;
let page: Page;
before(async () => {
  desk = await setupDesk();
  provider = await startProvider(desk.service.url, 'localhost');
  provider.loginAs({
    sub: '1',
    email: 'rita@example.org',
    email_verified: true,
    name: 'Rita',
    groups: ['desk'],
  });
  await setupSingleSignOn(desk.service, {
    provider: { issuer: provider.issuer, ...CLIENT, scopes: 'openid profile email groups' },
    rules: [{ id: '1', claim: 'groups', value: 'desk', role: 'operator', siteIds: [] }],
    label: 'Testdienst',
  });
  page = await desk.open();
});
after(async () => {
  await desk.close();
  await provider.stop();
});

test('a user signs in at the provider and arrives at the page that was asked for', async () => {
  await page.goto('/vouchers');
  await page.getByRole('link', { name: text.loginWith('Testdienst') }).click();
  await page.waitForURL(`${desk.service.url}/vouchers`);
  await page.locator('.side').getByText('Rita').waitFor();
});

test('the logout leads on to the provider and back to the login page', async () => {
  await page.getByRole('button', { name: nav.logout }).click();
  await page.waitForURL((url) => url.origin === provider.issuer);
  await page.getByRole('button').first().click();
  await page.waitForURL((url) => url.origin === desk.service.url && url.pathname === '/login');
  await page.goto('/vouchers');
  assert.equal(new URL(page.url()).pathname, '/login');
});

test('an administrator tests the provider and sees the claims', async () => {
  const admin = await desk.openLoggedIn();
  await admin.goto('/settings/single-sign-on');
  await admin.getByRole('link', { name: text.test, exact: true }).click();
  await admin.getByText(text.tested).waitFor();
  assert.match(await admin.getByLabel(text.claims).inputValue(), /rita@example\.org/);
  await admin.context().close();
});
