// Vouchers on paper, as the browser prints them: ten on a sheet of A4, one by one from a roll of 80 mm, nothing
// of the screen on it, and QR codes that a camera can read.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Desk, makeVouchers, setUpDesk, WORDS } from './desk.ts';

const PX_PER_MM = 96 / 25.4;
const LEAST_QR_MM = 25;
/** Of the drawing's 25 squares in a row, 21 are the code itself. */
const CODE_IN_DRAWING = 21 / 25;

let desk: Desk;
let page: Page;
before(async () => {
  desk = await setUpDesk();
  page = await desk.openSignedIn({ theme: 'dark' });
  await makeVouchers(page, 'Hochzeit', 12);
  await page.getByRole('link', { name: WORDS.de.result.print }).click();
  await page.locator('.slip').first().waitFor();
  await page.emulateMedia({ media: 'print' });
});
after(() => desk.close());

/** In millimetres, as `[width, height]` of each page. */
async function printedPages(): Promise<number[][]> {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const boxes = pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g);
  return [...boxes].map(([, ...points]) => points.map((point) => Math.round((Number(point) / 72) * 25.4)));
}

async function smallestQrMm(): Promise<number> {
  const widths = await page
    .locator('.slip .qr')
    .evaluateAll((drawings) => drawings.map((drawing) => Number(drawing.getBoundingClientRect().width)));
  return (Math.min(...widths) / PX_PER_MM) * CODE_IN_DRAWING;
}

test('twelve vouchers are two sheets of A4', async () => {
  assert.deepEqual(await printedPages(), [
    [210, 297],
    [210, 297],
  ]);
  assert.ok((await smallestQrMm()) >= LEAST_QR_MM);
});

test('only the slips are printed, black on white also from a dark screen', async () => {
  for (const hidden of ['nav', 'h1', '.button'])
    assert.ok(!(await page.locator(hidden).first().isVisible()), hidden);
  const colours = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector('.paper')))`;
  assert.deepEqual(await page.evaluate(colours), ['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)');
});

test('from the roll each voucher comes on a piece of 80 mm', async () => {
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('link', { name: WORDS.de.print.slip }).click();
  await page.waitForURL(/paper=slip/);
  await page.emulateMedia({ media: 'print' });
  const pages = await printedPages();
  assert.equal(pages.length, 12);
  for (const [width] of pages) assert.equal(width, 80);
  assert.ok((await smallestQrMm()) >= LEAST_QR_MM);
});
