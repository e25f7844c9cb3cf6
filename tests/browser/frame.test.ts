// The frame of all pages: a sidebar on desktops, a rail of icons on laptops and tablets, a bar at the bottom on phones.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { TESTER } from '../support/actors.ts';
import { makePng } from '../support/pictures.ts';
import { type Desk, setupDesk, WORDS } from './desk.ts';

const { de } = WORDS;
let desk: Desk;
before(async () => {
  desk = await setupDesk();
  const audit = { actor: TESTER, atMs: 1 };
  await desk.service.beside.images.save('logo', { type: 'image/png', bytes: makePng(600, 240) }, audit);
});
after(() => desk.close());

const navigationOf = (page: Page) => page.getByRole('navigation', { name: de.nav.main });

for (const [width, height, navigationWidth] of [
  [1920, 1080, 232],
  [1280, 800, 232],
  [1366, 650, 232],
  [1279, 800, 104],
  [1024, 768, 104],
  [900, 600, 104],
] as const)
  test(`at ${width} × ${height} the menu is on the left, and the logout is in view`, async () => {
    const page = await desk.openLoggedIn({ options: { viewport: { width, height } } });
    const box = await navigationOf(page).boundingBox();
    assert.deepEqual(box, { x: 0, y: 0, width: navigationWidth, height });
    const logout = await page.getByRole('button', { name: de.nav.logout }).boundingBox();
    assert.ok(logout && logout.y + logout.height <= height, JSON.stringify(logout));
    await page.context().close();
  });

test('on the rail every icon has its text, and the brand keeps its name', async () => {
  const page = await desk.openLoggedIn({ options: { viewport: { width: 1024, height: 768 } } });
  const items = navigationOf(page).locator('.item:visible');
  assert.equal(await items.count(), 16);
  for (const item of await items.all()) {
    const text = await item.locator('span').first().boundingBox();
    const icon = await item.locator('.icon').boundingBox();
    assert.ok(text && icon && text.y >= icon.y + icon.height, await item.innerText());
  }
  await page.getByRole('link', { name: 'Gastpass', exact: true }).waitFor();
  await page.context().close();
});

test('below 900 px the menu is a bar at the bottom', async () => {
  const page = await desk.openLoggedIn({ options: { viewport: { width: 899, height: 1180 } } });
  const box = await navigationOf(page).boundingBox();
  assert.ok(box && box.width === 899 && box.y + box.height === 1180 && box.height < 80, JSON.stringify(box));
  await page.getByRole('button', { name: de.nav.logout }).waitFor({ state: 'hidden' });
  await page.context().close();
});
