// Every page for everybody: axe finds nothing serious in light and in dark, nothing scrolls sideways on a
// phone, and what is to be pressed there is large enough for a thumb.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { violationsOf } from './axe.ts';
import { type Desk, type PageWish, SIZES, setUpDesk, WORDS } from './desk.ts';
import { visitDoors } from './doors.ts';
import { furnish } from './every-page.ts';

/** So that no colour is measured on its way to another. */
const options: PageWish['options'] = { reducedMotion: 'reduce' };
const THUMB_PX = 44;
const PRESSED = 'nav a, nav button, button, a.button, a.chip, label.chip, summary, .codes a, input, select';

let desk: Desk;
let pages: string[];
before(async () => {
  desk = await setUpDesk();
  pages = Object.values(await furnish(desk));
});
after(() => desk.close());

/** What is shown and smaller than a thumb in either direction. */
async function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(PRESSED)})]
    .filter((element) => element.type !== 'radio' && element.type !== 'checkbox' && element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width < ${THUMB_PX} || height < ${THUMB_PX};
    })
    .map((element) => element.outerHTML)`);
}

async function onEveryPage(page: Page, check: (path: string) => Promise<void>): Promise<void> {
  for (const path of pages) {
    await page.goto(path);
    await check(path);
  }
  await page.context().close();
}

describe('on every page', () => {
  test('there are all that have a route, whoever added them', () => {
    for (const path of ['/', '/vouchers', '/account', '/keys']) assert.ok(pages.includes(path), path);
  });

  test('axe finds nothing serious, in light or in dark', async () => {
    await visitDoors(desk, [{ options }], async (page, name) =>
      assert.deepEqual(await violationsOf(page), [], name),
    );
    const page = await desk.openSignedIn({ options });
    await onEveryPage(page, async (path) => assert.deepEqual(await violationsOf(page), [], path));
  });

  test('nothing scrolls sideways on a phone, and everything to be pressed fits a thumb', async () => {
    const page = await desk.openSignedIn({ size: 'phone' });
    await onEveryPage(page, async (path) => {
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      assert.equal(width, SIZES.phone.width, `${path} is as wide as the phone`);
      assert.deepEqual(await tooSmall(page), [], path);
    });
  });

  test('the menu of a phone opens over the page, as accessible and as large', async () => {
    const page = await desk.openSignedIn({ size: 'phone', options });
    await page.locator('.unfold').click();
    assert.ok(await page.getByRole('link', { name: WORDS.de.nav.account }).isVisible());
    assert.deepEqual(await tooSmall(page), []);
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.press('Escape');
    assert.ok(!(await page.getByRole('link', { name: WORDS.de.nav.account }).isVisible()));
    await page.context().close();
  });
});
