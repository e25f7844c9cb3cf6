// A logo from a real browser, which writes forms with files its own way: chosen, sent without any script, and
// shown in the navigation and at the door.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { JPEG, makePng } from '../support/pictures.ts';
import { type Desk, setUpDesk, WORDS } from './desk.ts';

let desk: Desk;
before(async () => {
  desk = await setUpDesk();
});
after(() => desk.close());

const widthOf = (image: Locator) => image.evaluate((element) => Reflect.get(element, 'naturalWidth'));

test('a logo is uploaded, seen, refused when it is none, and removed, all without script', async () => {
  const { title, upload, remove, faults } = WORDS.de.logo;
  const page = await desk.openSignedIn({ options: { javaScriptEnabled: false } });
  await page.goto('/settings');
  const choose = async (name: string, buffer: Buffer) => {
    await page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'image/png', buffer });
    await page.getByRole('button', { name: upload }).click();
  };
  await choose('Größe "1".png', makePng(48, 24));
  await page.waitForURL('/settings?saved=logo');
  assert.equal(await widthOf(page.locator('.side .logo')), 48);
  await choose('logo.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  assert.equal(await page.locator('#logo-error').textContent(), faults['other-kind']);
  await page.goto('/settings');
  await page.getByRole('button', { name: upload }).click();
  assert.equal(await page.locator('#logo-error').textContent(), faults.empty);
  await choose('foto.jpg', JPEG);
  await page.waitForURL('/settings?saved=logo');
  const door = await desk.open();
  await door.goto('/login');
  assert.equal(await widthOf(door.locator('.brand .logo')), 24);
  await page.getByRole('button', { name: remove }).click();
  assert.equal(await page.locator('.side .logo').count(), 0);
  assert.equal(await page.getByRole('heading', { name: title }).count(), 1);
});
