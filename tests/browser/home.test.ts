// The home page on the screens of a front desk: the whole form is in view, nothing moves when a chip is chosen, and
// long names do not break the list of recent vouchers.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TESTER } from '../support/actors.ts';
import { makePng } from '../support/pictures.ts';
import { type Desk, makeVouchers, SIZES, setupDesk, WORDS } from './desk.ts';
import { brokenWordsOf, overflowOf, spillsOf } from './layout.ts';

const { de } = WORDS;
const LONG_NAME = 'Donaudampfschifffahrtsgesellschaftskapit';
const DESKS = [
  { width: 1024, height: 768 },
  { width: 1180, height: 820 },
  { width: 1280, height: 800 },
  { width: 1280, height: 860 },
];
const NO_LIMITS = { downKbps: 0, upKbps: 0, quotaMb: 0 };
let desk: Desk;

/** The first steps, a logo, profiles and a second site: everything that makes the page longer. */
before(async () => {
  desk = await setupDesk();
  const { beside, addSite, change } = desk.service;
  const audit = { actor: TESTER, atMs: 1 };
  await beside.images.save('logo', { type: 'image/png', bytes: makePng(600, 240) }, audit);
  const profile = { name: 'Tagung', maxUses: 5, expireMinutes: 2_880, ...NO_LIMITS, siteIds: [] };
  await beside.profiles.add(profile, audit);
  await addSite('default', 'Haus am See');
  const page = await desk.openLoggedIn();
  for (const name of [LONG_NAME, `${LONG_NAME} zwei`, 'Zimmer 12']) await makeVouchers(page, name);
  await makeVouchers(page, LONG_NAME, 12);
  await page.context().close();
  change("update vouchers set ended_at_s = created_at_s where name like '%zwei'");
});
after(() => desk.close());

for (const viewport of DESKS)
  test(`the whole form is in view at ${viewport.width} × ${viewport.height}`, async () => {
    const page = await desk.openLoggedIn({ options: { viewport } });
    await page.getByRole('heading', { name: de.firstSteps.title }).waitFor();
    const box = await page.getByRole('button', { name: de.form.button }).boundingBox();
    assert.ok(box && box.y + box.height <= viewport.height, JSON.stringify(box));
    await page.context().close();
  });

test('on a phone the form comes before the first steps', async () => {
  const page = await desk.openLoggedIn({ size: 'phone' });
  const topOf = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0;
  assert.ok((await topOf('.making')) < (await topOf('.first-steps')));
  await page.context().close();
});

test('nothing sticks to the screen over the form', async () => {
  const page = await desk.openLoggedIn({ size: 'phone' });
  const stuck = `[...document.querySelectorAll('main *')]
    .filter((element) => ['sticky', 'fixed'].includes(getComputedStyle(element).position)).length`;
  assert.equal(await page.evaluate(stuck), 0);
  await page.context().close();
});

for (const size of ['phone', 'desktop'] as const)
  test(`on a ${size} the chips stay where they are when another one is chosen`, async () => {
    const page = await desk.openLoggedIn({ size });
    const places = () =>
      page.evaluate<string>(`JSON.stringify([...document.querySelectorAll('.presets .chip')]
        .map(({ offsetLeft, offsetTop, offsetWidth }) => [offsetLeft, offsetTop, offsetWidth]))`);
    const before = await places();
    await page.getByLabel(de.presets.week).check();
    assert.equal(await places(), before);
    await page.context().close();
  });

test('long names, codes and states fit beside each other on every screen', async () => {
  const page = await desk.openLoggedIn();
  for (const width of [320, 390, 768, 820, 900, 1024, 1100, 1180, 1280, 1920]) {
    await page.setViewportSize({ ...SIZES.desktop, width });
    assert.equal(await overflowOf(page), 0, `${width} px`);
    assert.deepEqual(await spillsOf(page), [], `${width} px`);
    assert.deepEqual(await brokenWordsOf(page), [], `${width} px`);
  }
  await page.context().close();
});
