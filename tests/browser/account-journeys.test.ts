// The user's own account in a real browser: the first administrator of a new installation, the language, the list of
// sessions, and a new password.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestService } from '../support/test-service.ts';
import { addUser, PASSWORD } from '../web/web-client.ts';
import { type Desk, EACH_ONCE, handsOn, login, setupDesk, WORDS } from './desk.ts';

const NEXT_PASSWORD = 'ein noch besseres Passwort';

let desk: Desk;
before(async () => {
  desk = await setupDesk();
});
after(() => desk.close());

for (const input of EACH_ONCE)
  describe(`in ${input.language} on a ${input.size}`, () => {
    const words = WORDS[input.language];
    const { account, setup } = words;
    const email = `${input.language}@example.org`;
    let page: Page;
    let hands: ReturnType<typeof handsOn>;
    before(async () => {
      await addUser(desk.service, email, 'operator');
      page = await desk.open(input);
      hands = handsOn(page, input);
    });
    after(() => page.context().close());

    test('the setup token of a new installation creates the first administrator, who can log in', async () => {
      const fresh = await startTestService();
      const first = await desk.open({ ...input, options: { baseURL: fresh.url } });
      const { field, button } = handsOn(first, input);
      await first.goto('/');
      await first.getByRole('heading', { name: setup.title }).waitFor();
      for (const token of ['00000-00000-00000-00000', fresh.service.firstStart.setupToken ?? '']) {
        await field(setup.token).fill(token);
        await field(setup.name).fill('Ada');
        await field(words.login.email).fill('ada@example.org');
        await field(words.login.password).fill(PASSWORD);
        await button(setup.button).click();
        if (token.startsWith('0000')) await first.getByRole('alert').getByText(setup.wrongToken).waitFor();
      }
      await first.getByRole('heading', { name: words.login.title }).waitFor();
      await login(first, PASSWORD, 'ada@example.org');
      await handsOn(first, input).goTo(words.settings.title);
      await first.context().close();
      await fresh.stop();
    });

    test('the language of the login page is kept, and can be changed in the account and the menu', async () => {
      const other = input.language === 'de' ? 'en' : 'de';
      await page.goto('/login');
      await hands.button(WORDS[other].language).click();
      await page.getByRole('heading', { name: WORDS[other].login.title }).waitFor();
      await login(page, PASSWORD, email);
      await handsOn(page, { ...input, language: other }).goTo(WORDS[other].nav.account);
      await hands.button(words.language).click();
      await page.getByRole('heading', { name: account.title }).waitFor();
      assert.equal(await hands.button(words.language).getAttribute('aria-pressed'), 'true');
      for (const [now, next] of [
        [input.language, other],
        [other, input.language],
      ] as const) {
        if (input.size === 'phone') await hands.button(WORDS[now].nav.more).click();
        await hands.button(next.toUpperCase()).click();
        await page.getByRole('heading', { name: WORDS[next].account.title }).waitFor();
      }
    });

    test('a session in another browser is listed and can be ended, and the current session continues', async () => {
      const elsewhere = await desk.open();
      await login(elsewhere, PASSWORD, email);
      await hands.goTo(account.title);
      await hands.shown(account.thisOne);
      await hands.button(account.end).click();
      await hands.told(words.notices.sessionEnded);
      assert.equal(await hands.button(account.end).count(), 0);
      await elsewhere.goto('/');
      assert.match(elsewhere.url(), /\/login/);
      await elsewhere.context().close();
      await page.reload();
      await page.getByRole('heading', { name: account.title }).waitFor();
    });

    test('a new password works, the old password does not, and other browsers are logged out', async () => {
      const elsewhere = await desk.open(input);
      await login(elsewhere, PASSWORD, email);
      await hands.goTo(account.title);
      await hands.field(account.current).fill(PASSWORD);
      await hands.field(account.next).fill(NEXT_PASSWORD);
      await hands.button(account.change).click();
      await hands.told(words.notices.passwordChanged);
      await elsewhere.goto('/');
      assert.match(elsewhere.url(), /\/login/);
      await elsewhere.locator('#email').fill(email);
      await elsewhere.locator('#password').fill(PASSWORD);
      await elsewhere.locator('#password').press('Enter');
      const alert = elsewhere.getByRole('alert');
      await alert.waitFor();
      await elsewhere.waitForLoadState();
      assert.equal(await alert.innerText(), words.login.wrong);
      await login(elsewhere, NEXT_PASSWORD, email);
      await elsewhere.context().close();
    });
  });
