// `npm run screenshots`: every page as a picture in docs/screenshots, light and dark on a desk and on a phone,
// of a service of its own with a day's vouchers in it.

import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { type PageWish, setUpDesk } from './desk.ts';
import { visitDoors } from './doors.ts';
import { furnish } from './every-page.ts';
import { visit } from './places.ts';
import { withPalette } from './small-png.ts';

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../docs/screenshots', import.meta.url));
const KINDS: Record<string, PageWish> = {
  light: {},
  dark: { theme: 'dark' },
  phone: { size: 'phone' },
};

const desk = await setUpDesk();
const { places, stop } = await furnish(desk);
try {
  mkdirSync(FOLDER, { recursive: true });
  // A page that is gone leaves no picture behind.
  for (const old of globSync(join(FOLDER, '*.png'))) rmSync(old);
  for (const [kind, wish] of Object.entries(KINDS)) await takePictures(kind, wish);
  const kindOf = new Map(Object.entries(KINDS).map(([kind, wish]) => [wish, kind]));
  await visitDoors(desk, Object.values(KINDS), (page, name, wish) =>
    takePicture(page, `${name}-${kindOf.get(wish)}`),
  );
} finally {
  await stop();
  await desk.close();
}

async function takePictures(kind: string, wish: PageWish): Promise<void> {
  const page = await desk.open(wish);
  for (const [name, place] of Object.entries(places)) {
    await visit(desk.service, page, place);
    await takePicture(page, `${name}-${kind}`);
  }
  if (wish.size === 'phone') {
    await page.locator('.unfold').click();
    await takePicture(page, `menu-${kind}`);
  }
  await page.context().close();
}

async function takePicture(page: Page, name: string): Promise<void> {
  writeFileSync(join(FOLDER, `${name}.png`), withPalette(await page.screenshot()));
}
