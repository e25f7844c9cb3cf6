// `npm run screenshots`: every page as a picture in docs/screenshots, light and dark on a desk and on a phone,
// of a service of its own with a day's vouchers in it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { type PageWish, setUpDesk } from './desk.ts';
import { visitDoors } from './doors.ts';
import { furnish } from './every-page.ts';
import { withPalette } from './small-png.ts';

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../docs/screenshots', import.meta.url));
const KINDS: Record<string, PageWish> = {
  light: {},
  dark: { theme: 'dark' },
  phone: { size: 'phone' },
};

const desk = await setUpDesk();
try {
  mkdirSync(FOLDER, { recursive: true });
  const pages = await furnish(desk);
  const kindOf = new Map(Object.entries(KINDS).map(([kind, wish]) => [wish, kind]));
  await visitDoors(desk, Object.values(KINDS), (page, name, wish) =>
    takePicture(page, `${name}-${kindOf.get(wish)}`),
  );
  for (const [kind, wish] of Object.entries(KINDS)) await takePictures(kind, wish, pages);
} finally {
  await desk.close();
}

async function takePictures(kind: string, wish: PageWish, pages: Record<string, string>): Promise<void> {
  const page = await desk.openSignedIn(wish);
  await visitAll(page, pages, kind);
  await page.goto('/keys');
  await page.locator('#name').fill('Buchungssystem');
  await page.locator('main form button[type="submit"]').click();
  await takePicture(page, `key-shown-once-${kind}`);
  if (wish.size === 'phone') {
    await page.locator('.unfold').click();
    await takePicture(page, `menu-${kind}`);
  }
  await page.context().close();
}

async function visitAll(page: Page, pages: Record<string, string>, kind: string): Promise<void> {
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(path);
    await takePicture(page, `${name}-${kind}`);
  }
}

async function takePicture(page: Page, name: string): Promise<void> {
  writeFileSync(join(FOLDER, `${name}.png`), withPalette(await page.screenshot()));
}
