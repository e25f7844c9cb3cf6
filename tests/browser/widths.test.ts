// The layout of the pages that users open most, with hard data, from a small phone to a large desktop: no page scrolls
// sideways, nothing stands out of its card, and words, codes, dates, remaining times and IP addresses stay in one
// piece.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Language } from '../../src/platform/text/language.ts';
import { type Desk, EMAIL, type PageOptions, SIZES, setupDesk } from './desk.ts';
import { fillWithHardData, pathsOf } from './hard-data.ts';
import { layoutFaultsOf, WIDTHS } from './layout.ts';

type Theme = NonNullable<PageOptions['theme']>;

let desk: Desk;
let paths: Record<string, string>;
before(async () => {
  desk = await setupDesk();
  paths = pathsOf(await fillWithHardData(desk.service, EMAIL));
});
after(() => desk.close());

/** Resizing a page takes less time than opening it again. */
async function assertFits(language: Language, theme: Theme): Promise<void> {
  const page = await desk.openLoggedIn({ language, theme });
  const faults: string[] = [];
  for (const [name, path] of Object.entries(paths)) {
    assert.equal((await page.goto(path))?.status(), 200, path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: SIZES.phone.height });
      for (const fault of await layoutFaultsOf(page)) faults.push(`${name} at ${width} px ${fault}`);
    }
  }
  await page.context().close();
  assert.ok(faults.length === 0, faults.join('\n'));
}

test('with hard data the layout fits every screen', () => assertFits('de', 'light'));

test('the same holds in the dark theme', () => assertFits('de', 'dark'));

test('the same holds in English', () => assertFits('en', 'light'));
