// The overview in a real browser: it refreshes itself without moving the page or the focus, shows problems first, and
// its chart fills the page without blank space below.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../src/kernel/ids.ts';
import { type Desk, makeVouchers, setupDesk, WORDS } from './desk.ts';

const { overview: text } = WORDS.de;
const SITE = asSiteId(1);
const REFRESH_MS = 31_000;

let desk: Desk;
before(async () => {
  desk = await setupDesk();
});
after(() => desk.close());

test('a problem appears and disappears by itself, with the badge, and neither focus nor position is lost', async () => {
  const page = await desk.openLoggedIn({ options: { viewport: { width: 1280, height: 500 } } });
  await page.clock.install();
  await page.goto('/overview');
  await page.getByText(text.allWell).waitFor();
  const tile = page.locator('.tile').first();
  await tile.focus();
  await page.evaluate("document.querySelector('#per-day details').open = true");
  const focused = () => page.evaluate("document.activeElement.matches('.tile')");
  const position = () => page.evaluate('scrollY');
  await page.evaluate('scrollTo(0, 200)');
  assert.equal(await position(), 200);
  const chartTop = async () =>
    Number(await page.evaluate("document.querySelector('#per-day').getBoundingClientRect().top"));
  const before = await chartTop();

  await desk.service.beside.syncs.noteFailure(SITE, 'no answer', 'nobody-answers');
  await page.clock.runFor(REFRESH_MS);
  const problem = page.getByRole('link', { name: text.toSite });
  await problem.waitFor();
  assert.equal(await page.locator('#menu-problems').textContent(), '1 Störung');
  assert.ok(await focused());
  assert.equal(await page.locator('#per-day details[open]').count(), 1, 'the table stays open');
  const shift = (await chartTop()) - before;
  assert.ok(Math.abs(shift) <= 1, `the chart stays where it was, and did not move by ${shift} px`);

  await problem.click();
  await page.waitForURL(/\/sites\/1$/);
  await page.goBack();
  desk.service.clock.advance(1_000);
  await desk.service.beside.syncs.noteSuccess(SITE);
  await page.clock.runFor(REFRESH_MS);
  await page.getByText(text.allWell).waitFor();
  await page.context().close();
});

test('a part that has the focus is not replaced', async () => {
  const page = await desk.openLoggedIn();
  await page.clock.install();
  await desk.service.beside.syncs.noteFailure(SITE, 'no answer', 'nobody-answers');
  await page.goto('/overview');
  const link = page.getByRole('link', { name: text.toSite });
  await link.focus();
  desk.service.clock.advance(1_000);
  await desk.service.beside.syncs.noteSuccess(SITE);
  const refreshed = page.waitForResponse(/\/overview$/);
  await page.clock.runFor(REFRESH_MS);
  await (await refreshed).finished();
  await page.locator('#menu-problems:empty').waitFor({ state: 'attached' });
  assert.ok(await page.evaluate("document.activeElement.matches('.mend')"));
  await page.context().close();
});

test('the chart is as wide as its card, has columns only for days with vouchers, and no blank space follows', async () => {
  for (const [width, height] of [
    [1280, 900],
    [390, 844],
  ] as const) {
    const page = await desk.openLoggedIn({ options: { viewport: { width, height } } });
    await makeVouchers(page, `Gast ${width}`);
    await page.goto('/overview');
    const card = await page.locator('#per-day h2').boundingBox();
    const chart = await page.locator('.chart svg').boundingBox();
    assert.ok(card && chart && Math.abs(card.width - chart.width) < 1, JSON.stringify({ card, chart }));
    assert.equal(await page.locator('.chart .column').count(), 1);
    const blank = await page.evaluate(
      "document.documentElement.scrollHeight - Math.max(innerHeight, document.querySelector('main').getBoundingClientRect().bottom + scrollY)",
    );
    assert.ok(Number(blank) <= 1, `${blank} px of blank space`);
    await page.context().close();
  }
});
