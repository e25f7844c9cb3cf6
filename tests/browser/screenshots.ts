// `npm run screenshots`: takes a screenshot of every page into the folder screenshots, in the light and dark themes on
// a desktop and on a phone, of a service with a day's vouchers; and of some pages with hard data at other widths.
// Updates the screenshots that the documentation shows, in docs/screenshots.

import assert from 'node:assert/strict';
import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { renderVoucherMail } from '../../src/features/mail/content/voucher-mail.ts';
import { PRINTER_KINDS } from '../../src/features/printers/printer.ts';
import { GERMAN_MAIL } from '../support/sample-mails.ts';
import { EMAIL, type PageOptions, setupDesk } from './desk.ts';
import { checkDoors } from './doors.ts';
import { furnish } from './every-page.ts';
import { fillWithHardData, pathsOf } from './hard-data.ts';
import { openPlace } from './places.ts';
import { receive, showMail } from './received-mail.ts';
import { takeScreenPictures } from './screen-pictures.ts';
import { withPalette } from './small-png.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, 'screenshots');
const KINDS: Record<string, PageOptions> = {
  light: {},
  dark: { theme: 'dark' },
  phone: { size: 'phone' },
};
/** A phone, a tablet, a laptop and a large screen. */
const HARD_SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1180, height: 820 },
  { width: 1920, height: 1080 },
];

const desk = await setupDesk();
const { places, stop } = await furnish(desk);
try {
  mkdirSync(FOLDER, { recursive: true });
  // Delete old screenshots, so that no screenshot of a removed page is left.
  for (const old of globSync(join(FOLDER, '*.png'))) rmSync(old);
  for (const [kind, input] of Object.entries(KINDS)) await takePictures(kind, input);
  const kindOf = new Map(Object.entries(KINDS).map(([kind, input]) => [input, kind]));
  await checkDoors(desk, Object.values(KINDS), (page, name, input) =>
    takePicture(page, `${name}-${kindOf.get(input)}`),
  );
  await takeMailPicture();
  await takePrinterPictures();
  await takeScreenPictures((name, png) => writeFileSync(join(FOLDER, `${name}.png`), withPalette(png)));
  for (const shown of globSync(join(ROOT, 'docs/screenshots/*.png')))
    copyFileSync(join(FOLDER, basename(shown)), shown);
} finally {
  await stop();
  await desk.close();
}
await takeHardPictures();

async function takeMailPicture(): Promise<void> {
  const page = await desk.open({ options: { viewport: { width: 680, height: 844 } } });
  await showMail(page, await receive(renderVoucherMail(GERMAN_MAIL)));
  writeFileSync(join(FOLDER, 'e-mail.png'), withPalette(await page.screenshot({ fullPage: true })));
  await page.context().close();
}

/** The form to add a printer of each kind, with its guide, in the language of the documentation. */
async function takePrinterPictures(): Promise<void> {
  const page = await desk.openLoggedIn({
    language: 'en',
    options: { viewport: { width: 1180, height: 820 } },
  });
  for (const kind of PRINTER_KINDS) {
    await page.goto(`/printers/add?kind=${kind}`);
    const picture = await page.locator('main').screenshot();
    writeFileSync(join(FOLDER, `printer-${kind}.png`), withPalette(picture));
  }
  await page.context().close();
}

async function takeHardPictures(): Promise<void> {
  const hardDesk = await setupDesk();
  const paths = pathsOf(await fillWithHardData(hardDesk.service, EMAIL));
  for (const theme of ['light', 'dark'] as const) {
    const page = await hardDesk.openLoggedIn({ theme });
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(path);
      for (const size of HARD_SIZES) {
        await page.setViewportSize(size);
        await takePicture(page, `hard-${name}-${size.width}-${theme}`);
      }
    }
  }
  await hardDesk.close();
}

async function takePictures(kind: string, input: PageOptions): Promise<void> {
  const page = await desk.open(input);
  for (const [name, place] of Object.entries(places)) {
    await openPlace(desk.service, page, place);
    await takePicture(page, `${name}-${kind}`);
  }
  if (input.size === 'phone') {
    // The last page may have no menu: it may be the page of a kiosk.
    const { 'new-voucher': home } = places;
    assert.ok(home);
    await openPlace(desk.service, page, home);
    await page.locator('.unfold').click();
    await takePicture(page, `menu-${kind}`);
  }
  await page.context().close();
}

async function takePicture(page: Page, name: string): Promise<void> {
  writeFileSync(join(FOLDER, `${name}.png`), withPalette(await page.screenshot()));
}
