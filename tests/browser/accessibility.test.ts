// Accessibility and layout of every page: axe finds no serious violation in the light and dark themes, no page scrolls
// sideways or breaks words at any width, nothing covers the focus, and every control is large enough to be tapped.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { violationsOf } from './axe.ts';
import { type Desk, type PageOptions, SIZES, setupDesk, WORDS } from './desk.ts';
import { checkDoors } from './doors.ts';
import { type Furnished, furnish } from './every-page.ts';
import { brokenWordsOf, coveredFocusOf, LOW_SCREENS, overflowOf, spillsOf, WIDTHS } from './layout.ts';
import { openPlace } from './places.ts';

/** Without animations, so that no colour is measured in the middle of a transition. */
const options: PageOptions['options'] = { reducedMotion: 'reduce' };
const THUMB_PX = 44;
const PRESSED = 'nav a, nav button, button, a.button, a.chip, label.chip, summary, .codes a, input, select';

let desk: Desk;
let furnished: Furnished | undefined;
before(async () => {
  desk = await setupDesk();
  furnished = await furnish(desk);
});
after(async () => {
  await furnished?.stop();
  await desk.close();
});

/** Returns the visible controls that are smaller than a thumb in either direction. */
async function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(PRESSED)})]
    .filter((element) => !element.matches('[type="radio"], [type="checkbox"], [aria-hidden="true"]') && element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width < ${THUMB_PX} || height < ${THUMB_PX};
    })
    .map((element) => element.outerHTML)`);
}

/** Running work shows its progress by reloading the page, so that it also works without JavaScript. */
const isOnPurpose = (name: string, violation: string) =>
  name.endsWith('-under-way') && violation.startsWith('meta-refresh:');

async function assertAccessible(page: Page, name: string): Promise<void> {
  const found = (await violationsOf(page)).filter((violation) => !isOnPurpose(name, violation));
  assert.deepEqual(found, [], name);
}

async function assertFits(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: SIZES.phone.height });
    assert.equal(await overflowOf(page), 0, `${name} is as wide as the screen of ${width} px`);
    assert.deepEqual(await spillsOf(page), [], `${name} at ${width} px`);
    assert.deepEqual(await brokenWordsOf(page), [], `${name} at ${width} px`);
  }
  for (const screen of LOW_SCREENS) {
    await page.setViewportSize(screen);
    assert.equal(await overflowOf(page), 0, `${name} is as wide as the screen of ${screen.width} px`);
    assert.deepEqual(await coveredFocusOf(page), [], `${name} on a low screen`);
  }
  await page.setViewportSize(SIZES.phone);
  assert.deepEqual(await coveredFocusOf(page), [], name);
  assert.deepEqual(await tooSmall(page), [], name);
}

async function onEveryPage(
  input: PageOptions,
  check: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const page = await desk.open(input);
  assert.ok(furnished);
  for (const [name, place] of Object.entries(furnished.places)) {
    await openPlace(desk.service, page, place);
    await check(page, name);
  }
  await page.context().close();
}

describe('on every page, and on every response to a form', () => {
  test('axe finds no serious violation in either theme', () => onEveryPage({ options }, assertAccessible));

  test('the layout fits every screen, and every control is large enough to be tapped', () =>
    onEveryPage({ size: 'phone' }, assertFits));

  test('the same holds for the login and setup pages', () =>
    checkDoors(desk, [{ options }, { size: 'phone' }], async (page, name, { size }) =>
      size === 'phone' ? assertFits(page, name) : assertAccessible(page, name),
    ));

  test('the menu of a phone opens over the page and is as accessible, with controls as large', async () => {
    const page = await desk.openLoggedIn({ size: 'phone', options });
    await page.locator('.unfold').click();
    const account = page.getByRole('link', { name: WORDS.de.nav.account });
    await account.waitFor();
    assert.deepEqual(await tooSmall(page), []);
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.press('Escape');
    await account.waitFor({ state: 'hidden' });
    await page.context().close();
  });
});
