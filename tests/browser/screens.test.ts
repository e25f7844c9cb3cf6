// Tests the administrators' pages for screens in a browser: the page with the pairing code follows the device by
// itself, and all these pages are accessible.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SCREEN_TEXTS } from '../../src/features/screens/screen-texts.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import { TESTER } from '../support/actors.ts';
import { addPrinterTo } from '../support/added-printer.ts';
import { addScreenTo, pairDevice } from '../support/added-screen.ts';
import { violationsOf } from './axe.ts';
import { type Desk, EACH_ONCE, setupDesk } from './desk.ts';

const NAME = 'Frühstücksraum Süd über dem See für Gäste';
const LIMITS = { maxUses: 2, expireMinutes: 480, downKbps: 20_000, upKbps: 0, quotaMb: 0 };
const siteId = asSiteId(1);
/** Colours change at once, so that their contrast is the final one. */
const options = { reducedMotion: 'reduce' } as const;

let desk: Desk;
before(async () => {
  desk = await setupDesk();
});
after(() => desk.close());

for (const screen of EACH_ONCE)
  test(`a kiosk is added, and its page follows the device (${screen.language}, ${screen.size})`, async () => {
    const page = await desk.openLoggedIn({ ...screen, options });
    const text = SCREEN_TEXTS[screen.language];
    await page.goto('/screens/add?kind=kiosk');
    await page.locator('#name').fill(`Lobby ${screen.language}`);
    await page.getByRole('button', { name: text.add }).click();
    const code = page.locator('.pairing-code');
    await code.waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await pairDevice(desk.service.url, (await code.textContent()) ?? '');
    await page.locator('.is-paired').waitFor();
    assert.equal(await code.isVisible(), false);
    await page.getByRole('link', { name: text.toScreen }).click();
    await page.locator('.pill.valid').waitFor();
    await page.context().close();
  });

test('the pages are accessible and as wide as the window, with many profiles and long names', async () => {
  const { beside } = desk.service;
  const audit = { actor: TESTER, atMs: desk.service.clock.nowMs() };
  for (let number = 1; number <= 30; number++)
    await beside.profiles.add({ name: `${NAME} ${number}`, ...LIMITS, siteIds: [] }, audit);
  await addPrinterTo(beside, { siteId, name: NAME, kind: 'cloudprnt' });
  const terms = 'Donaudampfschifffahrtsgesellschaft '.repeat(200);
  const { id: kiosk } = await addScreenTo(beside, { siteId, name: NAME, profileIds: ['1', '2'], terms });
  const { id: rolling } = await addScreenTo(beside, { siteId, name: NAME, kind: 'rolling' });
  const paths = [
    '/screens',
    '/screens/add?kind=kiosk',
    '/screens/add?kind=rolling',
    `/screens/${kiosk}`,
    `/screens/${kiosk}/edit`,
    `/screens/${kiosk}/terms`,
    `/screens/${kiosk}/pairing`,
    `/screens/${rolling}`,
    '/sites/1/picture',
  ];
  for (const width of [320, 820, 1280]) {
    const page = await desk.openLoggedIn({ options: { ...options, viewport: { width, height: 900 } } });
    for (const path of paths) {
      await page.goto(path);
      const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      assert.ok(over <= 0, `${path} is ${over} px too wide at ${width} px`);
      if (width === 820) assert.deepEqual(await violationsOf(page), [], path);
    }
    await page.context().close();
  }
});
