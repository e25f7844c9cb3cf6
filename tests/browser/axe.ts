// What axe finds on a page that would keep somebody out, in light and in dark.

import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Of one page: `rule: element` for each that would keep somebody out. The theme changes colours only. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const inLight = await runAxe(page, {});
  await page.emulateMedia({ colorScheme: 'dark' });
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
