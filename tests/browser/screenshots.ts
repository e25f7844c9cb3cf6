// `npm run screenshots`: every page as a picture in docs/screenshots, light and dark on a desk and on a phone,
// of a service of its own with a day's vouchers in it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { type PageWish, setUpDesk } from './desk.ts';
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
  for (const [kind, wish] of Object.entries(KINDS)) await takePictures(kind, wish, pages);
} finally {
  await desk.close();
}

async function takePictures(kind: string, wish: PageWish, pages: Record<string, string>): Promise<void> {
  await visitAll(await desk.open(wish), { 'sign-in': '/login' }, kind);
  const page = await desk.openSignedIn(wish);
  await visitAll(page, { ...(await pagesOfMenu(page)), ...pages }, kind);
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

/** `/sites` is called `sites`; the first page has a name already. */
async function pagesOfMenu(page: Page): Promise<Record<string, string>> {
  const links = await page.locator('nav a.item').all();
  const paths = await Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''));
  return Object.fromEntries(paths.filter((path) => path !== '/').map((path) => [path.slice(1), path]));
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
