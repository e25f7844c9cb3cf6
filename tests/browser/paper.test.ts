// Vouchers on paper, as the browser prints them: on an A4 sheet to be cut, or one by one on a roll, without the
// controls of the page, and with QR codes that a camera can read from the printed page. From a desktop and a phone.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { asSiteId, type SiteId } from '../../src/kernel/ids.ts';
import { TESTER } from '../support/actors.ts';
import { pagesOf, qrIn, textOf } from '../support/poppler.ts';
import { type Desk, EACH_ONCE, follow, handsOn, makeVouchers, SIZES, setupDesk } from './desk.ts';

const PX_PER_MM = 96 / 25.4;
const MIN_QR_MM = 25;
const A4 = [210, 297];

let desk: Desk;
before(async () => {
  desk = await setupDesk();
});
after(() => desk.close());

for (const input of EACH_ONCE)
  describe(`in ${input.language} on a ${input.size}`, () => {
    let page: Page;
    let hands: ReturnType<typeof handsOn>;
    let site: SiteId;
    let codes: string[];
    before(async () => {
      site = asSiteId(await desk.service.addSite('default', `Haus ${input.language}`));
      page = await desk.openLoggedIn({ ...input, theme: 'dark' });
      hands = handsOn(page, input);
      await makeVouchers(page, 'Hochzeit', 12, String(site));
      codes = desk.service
        .rows('select code from vouchers where site_id = ? order by id', site)
        .map(({ code }) => String(code));
      await follow(hands.link(hands.words.result.print), /\/vouchers\/print\?/);
      await page.emulateMedia({ media: 'print' });
    });
    after(() => page.context().close());

    /** Afterwards the viewport is as wide as the paper, so that elements can be measured. */
    async function printed(): Promise<Buffer> {
      const pdf = await page.pdf({ preferCSSPageSize: true });
      await page.setViewportSize(SIZES.desktop);
      return pdf;
    }

    async function choosePaper(name: string, address: RegExp): Promise<void> {
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize(SIZES[input.size]);
      await follow(hands.link(name), address);
      await page.emulateMedia({ media: 'print' });
    }

    /** The position of a slip on its sheet. */
    async function areaOf(index: number) {
      const perSheet = await page.locator('.page').first().locator('.slip').count();
      const height = (297 - 2 * 8) / (perSheet / 2);
      return { page: 1, x: 8 + (index % 2) * 97, y: 8 + Math.floor(index / 2) * height, width: 97, height };
    }

    async function smallestQrMm(): Promise<number> {
      const widths = await page
        .locator('.slip .qr')
        .evaluateAll((drawings) => drawings.map((drawing) => Number(drawing.getBoundingClientRect().width)));
      return Math.min(...widths) / PX_PER_MM;
    }

    test('twelve vouchers fill two A4 sheets, and a camera reads each QR code', async () => {
      const pdf = await printed();
      assert.deepEqual(pagesOf(pdf), [A4, A4]);
      assert.ok((await smallestQrMm()) >= MIN_QR_MM);
      for (const index of [0, 1, 9]) assert.equal(qrIn(pdf, await areaOf(index)), codes[index]);
    });

    test('only the slips are printed, black on white even with the dark theme', async () => {
      for (const hidden of ['nav', 'h1', '.button'])
        assert.ok(!(await page.locator(hidden).first().isVisible()), hidden);
      const colours = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector('.page')))`;
      assert.deepEqual(await page.evaluate(colours), ['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
      assert.equal(
        await page.evaluate('getComputedStyle(document.body).backgroundColor'),
        'rgb(255, 255, 255)',
      );
    });

    test('on the roll each voucher is a piece 80 mm wide', async () => {
      await choosePaper(hands.words.slip.papers.receipt, /paper=receipt/);
      const pdf = await printed();
      const pages = pagesOf(pdf);
      assert.equal(pages.length, 12);
      for (const [width, height] of pages) assert.ok(width === 80 && height < 120, `${width} × ${height} mm`);
      assert.ok((await smallestQrMm()) >= MIN_QR_MM);
      assert.equal(qrIn(pdf, { page: 12, x: 0, y: 0, width: 80, height: 110 }), codes[11]);
    });

    test('slips with as much content as possible are not split, and a camera reads the Wi-Fi QR code', async () => {
      const slip = {
        wifiName: '"Gäste"; Haus, 1',
        wifiSecurity: 'wpa',
        wifiPassword: 'a'.repeat(63),
      } as const;
      const text = `${'Ein langer Satz mit vielen Wörtern. '.repeat(8)}\nEnde`;
      await desk.service.beside.slips.save(site, { ...slip, text }, { actor: TESTER, atMs: 1 });
      await page.reload();
      const roll = await printed();
      assert.equal(pagesOf(roll).length, 12);
      const join = `WIFI:T:WPA;S:\\"Gäste\\"\\; Haus\\, 1;P:${slip.wifiPassword};;`;
      assert.equal(qrIn(roll, { page: 1, x: 0, y: 0, width: 80, height: 200 }), join);

      await choosePaper(hands.words.slip.papers.a4, /paper=a4/);
      const sheets = await printed();
      for (const index of [0, 1]) assert.equal(qrIn(sheets, await areaOf(index)), join);
      const said = textOf(sheets);
      assert.equal(said.match(/\bEnde\b/g)?.length, 12);
      assert.ok((await smallestQrMm()) >= MIN_QR_MM);
    });

    test('with a Wi-Fi and two lines of text, eight slips still fit on a sheet', async () => {
      const slip = {
        wifiName: 'Seeblick Gäste',
        wifiSecurity: 'wpa',
        wifiPassword: 'am-wasser-2026',
      } as const;
      const text = 'Frühstück von 7 bis 10 Uhr im Wintergarten.\nFragen? Rezeption: Durchwahl 9';
      await desk.service.beside.slips.save(site, { ...slip, text }, { actor: TESTER, atMs: 1 });
      await page.reload();
      assert.ok((await page.locator('.page').first().locator('.slip').count()) >= 8);
    });

    test('the paper chosen last is used again, without a choice', async () => {
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize(SIZES[input.size]);
      await follow(hands.link(hands.words.slip.papers['labels-21']), /paper=labels-21/);
      await page.goto(page.url().replace(/&paper=[^&]*/, ''));
      const chosen = page.locator('.papers [aria-current]');
      assert.equal(await chosen.textContent(), hands.words.slip.papers['labels-21']);
      assert.equal(await page.locator('.slip').count(), 12);
    });
  });
