// Measures the layout of a page at its current size: sideways scrolling, words that are broken in the middle, and
// focused controls that something else covers.

import type { Page } from 'playwright-core';

/** Widths of phones, tablets and desktops. */
export const WIDTHS = [320, 390, 768, 820, 1024, 1180, 1280, 1920];
/** A laptop at 200 % zoom, and a phone in landscape. */
export const LOW_SCREENS = [
  { width: 640, height: 450 },
  { width: 844, height: 390 },
];

/** A row of chips reaches over the padding of its card. */
const TOLERATED_PX = 4;

/** How many pixels the page is wider than the screen; 0 if it does not scroll sideways. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}

/** The headings of cards whose content stands out of them on the right. */
export function spillsOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.card')]
    .filter((card) => card.scrollWidth > card.clientWidth + ${TOLERATED_PX})
    .map((card) => card.querySelector('h1, h2')?.textContent ?? card.className)`);
}

/**
 * Words and numbers. Long words and words with other characters, such as host names, e-mail addresses and fingerprints,
 * may be broken.
 */
const WORD = /(?<!\S)(?!\S{25})([\d.,:-]+|[\p{L}\p{N},:()„“"]+\.?)(?!\S)/gu;
/** Dates, remaining times, codes, IP addresses and shares such as "2 / 3". */
const WHOLES = [
  /\d{1,2}\.\d{1,2}\.\d{4}(, \d\d:\d\d)?/,
  /\d{1,2} [A-Z][a-z]{2,3} \d{4}(, \d\d:\d\d)?/,
  /\d+ (Min\.|Std\.|min|hr)/,
  /\d{5}-\d{5}/,
  /(?<![/\d.])(\d{1,3}\.){3}\d{1,3}(:\d+)?/,
  /\d+ \/ [\d∞]+/,
];
const WHOLE = new RegExp(WHOLES.map(({ source }) => source).join('|'), 'gu');

/** Words, numbers, dates, remaining times, codes and IP addresses that stand on two lines. */
export function brokenWordsOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const broken = [];
    const range = document.createRange();
    const isOnTwoLines = () => new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const parent = node.parentElement;
      range.selectNodeContents(node);
      if (!isOnTwoLines() || !parent.checkVisibility() || parent.closest('pre, svg, option, .hidden-text')) continue;
      const text = node.data.replaceAll('\u00a0', ' ');
      for (const { 0: word, index } of [...text.matchAll(${WORD}), ...text.matchAll(${WHOLE})]) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (isOnTwoLines()) broken.push(word);
      }
    }
    return broken;
  })()`);
}

/** Everything that is wrong with the layout at the current width, in words. */
export async function layoutFaultsOf(page: Page): Promise<string[]> {
  const overflow = await overflowOf(page);
  return [
    ...(overflow > 0 ? [`scrolls sideways by ${overflow} px`] : []),
    ...(await spillsOf(page)).map((card) => `the content of "${card}" stands out of its card`),
    ...(await brokenWordsOf(page)).map((word) => `"${word}" is on two lines`),
  ];
}

const MEASURED_AT_MOST = 3;

/**
 * Controls that are covered by another element while they have the focus, with that element. A page of running work
 * reloads itself and may have no stylesheet yet, so a covered control counts only if it still is two frames later,
 * twice.
 */
export async function coveredFocusOf(page: Page): Promise<string[]> {
  let covered = await measureCoveredFocus(page);
  for (let measured = 1; covered.length > 0 && measured < MEASURED_AT_MOST; measured += 1) {
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    covered = await measureCoveredFocus(page);
  }
  return covered;
}

function measureCoveredFocus(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('main :is(input, select, textarea, button, a[href], summary)')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches('[aria-hidden="true"], [type="hidden"]'))
    .flatMap((element) => {
      element.focus();
      if (document.activeElement !== element) return [];
      const [rect] = element.getClientRects();
      const [x, y] = [rect.left + rect.width / 2, rect.top + rect.height / 2];
      const shown = document.elementFromPoint(x, y);
      const own = [element, ...(element.labels ?? [])];
      if (own.some((one) => one.contains(shown) || shown?.contains(one))) return [];
      const place = [x, y, 'of', innerWidth, innerHeight, 'scrolled', scrollY].join(' ');
      return [element.outerHTML + ' at ' + place + ' by ' + (shown?.outerHTML.slice(0, 200) ?? 'nothing: it is off the screen')];
    })`);
}
