// The list of vouchers when it is full of hard data: names of 40 characters without a space, all states, batches and
// many sites. Enough vouchers are visible without scrolling, each in one line, and nothing breaks at any width.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Desk, setupDesk } from './desk.ts';
import { brokenWordsOf, overflowOf, spillsOf } from './layout.ts';

const SITES = 40;
const VOUCHERS = 200;
const BATCH = 'sommerfest';
const LONG_NAME = 'Donaudampfschifffahrtsgesellschaftssaele';
const WIDTHS = [320, 390, 768, 820, 899, 900, 1024, 1180, 1280, 1920];
const MAX_BYTES = 100_000;

let desk: Desk;
before(async () => {
  desk = await setupDesk();
  const { service } = desk;
  for (let site = 2; site <= SITES; site++) await service.addSite('default', `${LONG_NAME.slice(3)} ${site}`);
  const nowS = Math.floor(service.clock.nowMs() / 1000);
  service.change(`insert into batches (id, user_id, site_id, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, wanted, created_at_ms, ended_at_ms)
    values ('${BATCH}', 1, 1, 'Sommerfest', 1, 480, 0, 0, 0, 60, ${nowS * 1000}, ${nowS * 1000})`);
  // Every sixth voucher is unused, in use, used up, expired, revoked and deleted. The 60 newest but 20 are a batch.
  service.change(`with recursive n(i) as (select 0 union all select i + 1 from n where i < ${VOUCHERS - 1})
    insert into vouchers (site_id, code, name, name_order, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
      controller_voucher_id, owner_user_id, created_at_s, used_count, first_used_at_s, ended_at_s, revoked_at_s, batch_id)
    select case when i between 20 and 79 then 1 else 1 + i % ${SITES} end, cast(1000000000 + i * 7654321 as text),
      case when i between 20 and 79 then 'Sommerfest' when i % 4 = 0 then 'Zimmer ' || i else '${LONG_NAME}' end, 'x', 12,
      case when i % 6 = 1 then 8640 else 480 end, 0, 0, 0, 'hard-' || i, 1, ${nowS} - 60 * i,
      case i % 6 when 1 then 1 when 2 then 12 else 0 end, case when i % 6 in (1, 2) then ${nowS} - 600 when i % 6 = 3 then ${nowS} - 90000 end,
      case when i % 6 in (4, 5) then ${nowS} - 60 end, case when i % 6 = 4 then ${nowS} - 60 end, case when i between 20 and 79 then '${BATCH}' end
    from n`);
});
after(() => desk.close());

/** The number of rows of which nothing is hidden by the edge of the screen, or by the menu of a phone. */
function visibleRowsOf(page: Page): Promise<number> {
  return page.evaluate<number>(`[...document.querySelectorAll('tbody tr')]
    .map((row) => row.getBoundingClientRect())
    .filter(({ top, bottom }) => top >= 0 && bottom <= innerHeight).length`);
}

for (const { width, height, hasTouch, line, wanted } of [
  { width: 1180, height: 820, hasTouch: true, line: 44, wanted: 12 },
  { width: 1180, height: 820, hasTouch: false, line: 36, wanted: 17 },
  { width: 1920, height: 1080, hasTouch: false, line: 36, wanted: 24 },
])
  test(`${wanted} vouchers are visible at ${width} × ${height} with a ${hasTouch ? 'touch screen' : 'mouse'}, each in a line of ${line} px`, async () => {
    const page = await desk.openLoggedIn({
      options: { viewport: { width, height }, hasTouch, isMobile: hasTouch },
    });
    await page.goto('/vouchers');
    const heights = await page.evaluate<number[]>(
      "[...document.querySelectorAll('tbody tr')].map((row) => row.offsetHeight)",
    );
    assert.deepEqual([...new Set(heights)], [line]);
    const rows = await visibleRowsOf(page);
    assert.ok(rows >= wanted, `${rows} rows`);
    await page.context().close();
  });

test('the list fits every width in both languages, and dates, codes and durations stay in one piece', async () => {
  for (const language of ['de', 'en'] as const) {
    const page = await desk.openLoggedIn({ language });
    const response = await page.goto('/vouchers');
    assert.ok(((await response?.body())?.length ?? MAX_BYTES) < MAX_BYTES);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 });
      const found = [
        await overflowOf(page),
        await spillsOf(page),
        await brokenWordsOf(page),
        await cutOf(page),
      ];
      assert.deepEqual(found, [0, [], [], []], `${width} px, ${language}`);
    }
    await page.context().close();
  }
});

/** Codes, times, durations and numbers of devices that are cut off. */
function cutOf(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('tbody :is(.code-of, .ends-of, .made-of, .uses-of)')]
    .filter((cell) => cell.scrollWidth > cell.clientWidth)
    .map((cell) => cell.textContent)`);
}

for (const javaScriptEnabled of [true, false])
  test(`${javaScriptEnabled ? 'with' : 'without'} JavaScript a batch opens in place and closes again`, async () => {
    const page = await desk.openLoggedIn({ options: { javaScriptEnabled } });
    await page.goto('/vouchers');
    const batch = page.getByRole('link', { name: 'Sommerfest', expanded: false });
    await batch.click();
    await page.waitForURL(/open=/);
    assert.equal(await page.locator('tr.opened').count(), 20);
    assert.equal(await page.locator('#batch-sommerfest').count(), 1);
    if (javaScriptEnabled) await page.locator('[aria-expanded="true"]:focus').waitFor();
    await page.getByRole('link', { name: 'Sommerfest', expanded: true }).click();
    await page.waitForURL((url) => url.search === '');
    assert.equal(await page.locator('tr.opened').count(), 0);
    await page.context().close();
  });
