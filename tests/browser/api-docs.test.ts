// The API documentation page in a real browser: the examples work without JavaScript, and the renderer works under our
// strict Content Security Policy: it calls the API with a key, sends no request to another host, and axe finds no
// serious violation in it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { API_DOCS_TEXTS } from '../../src/features/api-docs/api-docs-texts.ts';
import { type Desk, EACH_ONCE, follow, handsOn, SIZES, setupDesk } from './desk.ts';

let desk: Desk;
before(async () => {
  desk = await setupDesk();
});
after(() => desk.close());

for (const input of EACH_ONCE)
  test(`without JavaScript examples expand and have no copy button, in ${input.language} on a ${input.size}`, async () => {
    const page = await desk.open({ ...input, options: { javaScriptEnabled: false } });
    const { link, button } = handsOn(page, input);
    await page.goto('/login');
    await follow(link(API_DOCS_TEXTS[input.language].linkOnLoginPage), '/api-docs');
    await page.getByRole('heading', { name: API_DOCS_TEXTS[input.language].title }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), SIZES[input.size].width);
    await follow(link(API_DOCS_TEXTS[input.language].examples), '/api-docs/examples');
    for (const [language, shown] of Object.entries({
      JavaScript: 'await fetch(',
      Python: 'urllib.request.urlopen(',
      PHP: 'curl_init(',
    })) {
      await page.getByText(language, { exact: true }).click();
      await page.getByText(shown).first().waitFor();
    }
    assert.equal(await button(API_DOCS_TEXTS[input.language].copyOf('PHP')).count(), 0);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), SIZES[input.size].width);
    await page.context().close();
  });

for (const theme of ['light', 'dark'] as const)
  test(`in the ${theme} theme the renderer calls the API under our Content Security Policy and loads nothing from other hosts`, async () => {
    const page = await desk.open({ theme, options: { reducedMotion: 'reduce' } });
    const complaints = listen(page);
    await page.goto('/api-docs');
    await page.getByRole('link', { name: API_DOCS_TEXTS.de.explore }).click();
    await page.locator('.opblock').first().waitFor();
    await page.locator('#operations-Vouchers-revokeVoucher').waitFor();
    assert.equal(await page.locator('main').count(), 1);
    const card = "getComputedStyle(document.querySelector('#explorer')).backgroundColor";
    const background = await page.evaluate<string>(card);
    assert.equal(background === 'rgb(255, 255, 255)', theme === 'light', background);
    assert.deepEqual(await seriousIn(page), []);

    await page.getByRole('button', { name: 'Authorize' }).click();
    const dialog = page.locator('.modal-ux');
    await dialog.locator('input').first().fill(desk.service.keyText);
    assert.deepEqual(await seriousIn(page), [], 'in the dialog');
    await dialog.getByRole('button', { name: 'Authorize' }).first().click();
    await dialog.getByRole('button', { name: 'Close' }).first().click();

    await page.locator('#operations-Vouchers-listVouchers .opblock-summary-control').click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    const responded = page.waitForResponse(/\/v1\/vouchers/);
    await page.getByRole('button', { name: 'Execute' }).click();
    assert.equal((await responded).status(), 200);
    await page.locator('.live-responses-table td.response-col_status', { hasText: '200' }).waitFor();
    const create = page.locator('#operations-Vouchers-createVouchers');
    await create.locator('.opblock-summary-control').click();
    await create.getByRole('button', { name: 'Try it out' }).waitFor();
    assert.deepEqual(await seriousIn(page), [], 'with a response');
    await page.setViewportSize(SIZES.phone);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), SIZES.phone.width);
    await page.getByRole('link', { name: API_DOCS_TEXTS.de.contract }).click();
    await page.locator('#operations-default-createVoucher').waitFor();
    assert.deepEqual(await seriousIn(page), [], 'of the contract');

    await page.reload();
    await page.locator('.opblock').first().waitFor();
    assert.equal(
      await page.evaluate('localStorage.length + sessionStorage.length'),
      0,
      'the key is not stored',
    );
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

/** Collects what the browser refused, and requests to other hosts. */
function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!/^data:/.test(request.url()) && !request.url().startsWith(desk.service.url))
      complaints.push(request.url());
  });
  return complaints;
}

async function seriousIn(page: Page): Promise<string[]> {
  await page.waitForLoadState();
  // The renderer fades its colours: finish all animations, so that no colour is measured in the middle of a transition.
  await page.evaluate(`for (const { shadowRoot } of document.querySelectorAll('*'))
    for (const one of shadowRoot?.getAnimations({ subtree: true }) ?? [])
      if (one.effect.getComputedTiming().endTime < Infinity) one.finish();`);
  await page.evaluate(axe.source);
  const run = "axe.run(document, { preload: false, resultTypes: ['violations'] })";
  const { violations } = await page.evaluate<axe.AxeResults>(run);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
