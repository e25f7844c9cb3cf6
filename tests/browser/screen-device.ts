// The device of a screen as a browser: paired, at any size, with and without JavaScript. Keeps pictures of its pages if
// somebody wants to look at them.

import { mkdirSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { SCREEN_PATH } from '../../src/features/screens/screen.ts';
import type { Desk, PageOptions } from './desk.ts';

/** Tablets upright and lying, and a phone. */
export const DEVICE_SIZES = [
  { width: 800, height: 1280 },
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

/** A finger needs as many pixels in each direction. */
const MIN_TARGET_PX = 48;

/** If set, the pictures of the pages are written there. */
const { SCREENSHOTS } = process.env;

/** `cookie`: the Cookie header of the device. Opens the start of the screen. */
export async function openDevice(
  { open, service }: Pick<Desk, 'open' | 'service'>,
  cookie: string,
  input: PageOptions = {},
): Promise<Page> {
  const page = await open(input);
  const [name = '', value = ''] = cookie.split('=');
  const domain = new URL(service.url).hostname;
  await page.context().addCookies([{ name, value, domain, path: SCREEN_PATH }]);
  await page.goto(SCREEN_PATH);
  return page;
}

/**
 * Links, buttons and fields that are too small for a finger. The label of a box belongs to its target. The links in the
 * summary of errors are text.
 */
export function smallTargetsOf(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('a[href]:not(.message a), button, input, textarea, select, summary')]
    .map((control) => control.matches('[type=checkbox], [type=radio]') ? control.closest('label') ?? control : control)
    .filter((target) => target.checkVisibility() && target.type !== 'hidden')
    .filter((target) => {
      const { width, height } = target.getBoundingClientRect();
      return Math.min(width, height) < ${MIN_TARGET_PX};
    })
    .map(({ outerHTML }) => outerHTML)`);
}

export async function keepPicture(page: Page, name: string): Promise<void> {
  if (!SCREENSHOTS) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  writeFileSync(`${SCREENSHOTS}/${name}.png`, await page.screenshot());
}
