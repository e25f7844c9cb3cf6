// Runs axe on a page, in the light and dark themes, and returns the violations that would keep a user from using it.

import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Returns `rule: element` for each serious or critical violation. The theme changes colours only, so in the dark theme
 * only the contrast is checked.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const inLight = await runAxe(page, {});
  await page.emulateMedia({ colorScheme: 'dark' });
  // Scripts learn of the change with the next frame.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  const inDark = await runAxe(page, { runOnly: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...inLight, ...inDark.map((text) => `in dark, ${text}`)];
}

async function runAxe(page: Page, rules: axe.RunOptions): Promise<string[]> {
  const input = JSON.stringify({ ...rules, preload: false, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${input})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
