// The tasks of an operator in a real browser: from the login to a printed voucher, many vouchers at once, finding a
// voucher again, and completing a batch that failed. In German and in English, on a desktop and on a phone.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type SimulatedConsole, startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import {
  addConsole,
  type Desk,
  EVERY_OPTION,
  follow,
  handsOn,
  login,
  makeVouchers,
  setupDesk,
  untilMade,
  WORDS,
} from './desk.ts';

const CODE = /^\d{5}-\d{5}$/;
const TO_PRINT = /\/vouchers\/print\?/;
let desk: Desk;
let console: SimulatedConsole;
let shaky: number;
before(async () => {
  desk = await setupDesk();
  console = await startSimulatedConsole();
  shaky = await addConsole(desk, console, { name: 'Wackelhaus' });
});
after(async () => {
  await desk.close();
  await console.stop();
});

for (const input of EVERY_OPTION)
  describe(`in ${input.language} on a ${input.size}`, () => {
    const words = WORDS[input.language];
    let page: Page;
    before(async () => {
      page = await desk.open(input);
    });
    after(() => page.context().close());

    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    const heading = () => page.getByRole('heading', { level: 1 }).innerText();

    test('login leads to the form, with the focus in the name field', async () => {
      await login(page);
      assert.equal(await heading(), words.form.title);
      assert.equal(await page.locator('html').getAttribute('lang'), input.language);
      // The browser sets the autofocus with the first frame, which may come after the load event.
      await page.locator('#name:focus').waitFor();
      assert.equal(await page.evaluate('document.activeElement.id'), 'name');
    });

    test('a name and a click create a voucher, and its slip can be printed', async () => {
      await page.keyboard.type('Zimmer 12');
      await button(words.form.button).click();
      await untilMade(page);
      assert.equal(await heading(), words.result.one);
      const code = await page.locator('.hero .code').innerText();
      assert.match(code, CODE);
      await follow(link(words.result.print), TO_PRINT);
      assert.equal(await page.locator('.slip .code').textContent(), code);
      await page.evaluate('window.print = () => { document.title = "printed"; }');
      await button(words.print.now).click();
      assert.equal(await page.title(), 'printed');
    });

    test('a batch of twelve shows twelve codes and twelve slips', async () => {
      await makeVouchers(page, 'Hochzeit', 12);
      await page.getByRole('status').getByText(words.result.many(12)).waitFor();
      const codes = await page.locator('.vouchers .code').allInnerTexts();
      assert.equal(new Set(codes).size, 12);
      await follow(link(words.result.print), TO_PRINT);
      assert.deepEqual(await page.locator('.slip .code').allTextContents(), codes);
      const pdf = await handsOn(page, input).download(words.slip.pdf);
      assert.equal(String(pdf.subarray(0, 5)), '%PDF-');
    });

    test('a batch that fails half-way shows the codes it has, and the rest can be created later', async () => {
      console.controls.setFault({ match: 'create', kind: 'status', status: 400, skip: 1, times: 'always' });
      await makeVouchers(page, 'Ausflug', 104, String(shaky));
      await page.getByRole('status').getByText(words.result.partly(100, 104)).waitFor();
      const alert = page.getByRole('alert');
      await alert.getByText(words.admin.sites.fixes.refused).waitFor();
      await alert.getByText(words.result.kept(100)).waitFor();
      const codes = await page.locator('.vouchers .code').allInnerTexts();
      assert.equal(codes.length, 100);
      console.controls.resetFaults();
      await follow(button(words.result.rest(4)), /\/batches\//);
      await untilMade(page);
      await page.getByRole('status').getByText(words.result.many(104)).waitFor();
      assert.equal(await heading(), 'Ausflug');
      const later = await page.locator('.vouchers .code').allInnerTexts();
      // The page shows the oldest hundred.
      assert.deepEqual(later, codes);
    });

    test('the selected vouchers of a batch are printed from the list', async () => {
      await follow(link(words.nav.vouchers), '/vouchers');
      await page.locator('.batch .listed').first().click();
      const rows = page.locator('.opened');
      await rows.first().waitFor();
      const codes = await rows.locator('.code').allInnerTexts();
      for (const index of [0, 2]) await rows.nth(index).getByRole('checkbox').check();
      await follow(button(words.list.printSelected), TO_PRINT);
      const printed = await page.locator('.slip .code').allTextContents();
      assert.deepEqual(printed.toSorted(), [codes[0], codes[2]].toSorted());
    });

    test('a voucher is found by its code, with or without a dash, and by its name', async () => {
      const name = `Frau Okafor ${input.language} ${input.size}`;
      await makeVouchers(page, name);
      const code = await page.locator('.hero .code').innerText();
      await follow(link(words.nav.vouchers), '/vouchers');
      for (const text of [code, code.replace('-', ''), name.toUpperCase()]) {
        await page.getByLabel(words.list.search).fill(text);
        await page.waitForURL((url) => url.searchParams.get('q') === text);
        assert.deepEqual(await page.locator('td .code').allInnerTexts(), [code], text);
      }
      await follow(link(name), /\/vouchers\/\d+\?from=/);
      assert.equal(await heading(), name);
    });

    test('logout leads to the login page', async () => {
      if (input.size === 'phone') await button(words.nav.more).click();
      await button(words.nav.logout).click();
      await page.waitForURL(/\/login/);
      await page.goto('/vouchers');
      assert.equal(await heading(), words.login.title);
    });
  });
