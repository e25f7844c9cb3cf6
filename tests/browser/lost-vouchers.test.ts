// Tests in a browser that an administrator who sees lost vouchers on the overview creates them again with two clicks,
// and that the alarm is gone afterwards.

import { after, before, test } from 'node:test';
import { loggedIn } from '../web/web-client.ts';
import { type Desk, EACH_ONCE, EMAIL, follow, setupDesk, WORDS } from './desk.ts';

let desk: Desk;
before(async () => {
  desk = await setupDesk();
});
after(() => desk.close());

for (const { language, size } of EACH_ONCE)
  test(`lost vouchers are created again from the overview (${language}, ${size})`, async () => {
    const { lostVouchers: text, overview } = WORDS[language];
    const { service } = desk;
    const anna = await loggedIn(service, EMAIL);
    for (const name of ['Sommerfest', 'Zimmer 7'])
      await anna.post('/vouchers', { site: '1', name, count: name === 'Sommerfest' ? '12' : '1' });
    const nowS = Math.floor(service.clock.nowMs() / 1_000);
    service.change(
      'update vouchers set ended_at_s = ?, missing_since_s = ? where ended_at_s is null',
      nowS,
      nowS,
    );
    service.clock.advance(1_000);

    const page = await desk.openLoggedIn({ language, size });
    await page.goto('/overview');
    await page.getByText(text.concern('Demo', 13)).first().waitFor();
    await follow(page.getByRole('link', { name: text.again }), /\/sites\/1\/lost$/);
    await follow(page.getByRole('button', { name: text.button(13) }), /\/replacements\//);
    await page.getByRole('heading', { name: text.all(13) }).waitFor();
    await page.goto('/overview');
    await page.getByText(overview.allWell).waitFor();
    service.change('delete from vouchers');
    await page.context().close();
  });
