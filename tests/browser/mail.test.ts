// The mail with a voucher as a guest's mail program shows it: on a phone and on a desktop, in light and dark themes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { renderVoucherMail } from '../../src/features/mail/content/voucher-mail.ts';
import { launchChromium } from '../support/chromium.ts';
import { ENGLISH_MAIL, GERMAN_MAIL, HARD_MAIL } from '../support/sample-mails.ts';
import { violationsOf } from './axe.ts';
import { overflowOf } from './layout.ts';
import { receive, showMail } from './received-mail.ts';

const WIDTHS = [390, 800];
const THEMES = ['light', 'dark'] as const;
/** Texts that stand out of their place. */
const CUT_OFF = `[...document.querySelectorAll('td, p')]
  .filter((element) => element.scrollWidth > element.clientWidth)
  .map((element) => element.textContent)`;

let browser: Browser;
before(async () => {
  browser = await launchChromium();
});
after(() => browser.close());

test('a received mail fits the screen, loads nothing, is easy to read, and one click selects the code', async () => {
  for (const [name, facts] of Object.entries({ GERMAN_MAIL, ENGLISH_MAIL, HARD_MAIL })) {
    const rendered = renderVoucherMail(facts);
    const mail = await receive(rendered);
    assert.equal(mail.subject, rendered.subject);
    assert.equal(mail.text?.trim(), rendered.text.trim());
    const page = await browser.newPage();
    const requested = await showMail(page, mail);
    for (const width of WIDTHS)
      for (const colorScheme of THEMES) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        const where = `${name} in ${colorScheme} at ${width} px`;
        assert.equal(await overflowOf(page), 0, where);
        assert.deepEqual(await page.evaluate(CUT_OFF), [], where);
      }
    assert.deepEqual(await violationsOf(page), [], name);
    const pictures = await page.evaluate('[...document.images].map((image) => image.naturalWidth > 0)');
    assert.deepEqual(
      pictures,
      rendered.images.map(() => true),
    );
    await page.getByText(facts.code, { exact: true }).click();
    assert.equal(await page.evaluate('getSelection().toString().trim()'), facts.code);
    assert.deepEqual(requested, []);
    await page.close();
  }
});
