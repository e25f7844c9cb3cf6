// The ways an administrator goes, in a real browser: profiles, people, keys, webhooks, revoking, the log, and the
// overview that says what is wrong. In German and in English, on a desk and on a phone.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type RecordingReceiver, startReceiver, until } from '../webhooks/recording-receiver.ts';
import { type Desk, EVERY_WISH, makeVouchers, setUpDesk, signIn, WORDS } from './desk.ts';

let desk: Desk;
let receiver: RecordingReceiver;
before(async () => {
  desk = await setUpDesk({ pace: 0.1 });
  receiver = await startReceiver();
});
after(async () => {
  await desk.close();
  await receiver.stop();
});

for (const wish of EVERY_WISH)
  describe(`in ${wish.language} on a ${wish.size}`, () => {
    const words = WORDS[wish.language];
    const { admin } = words;
    const own = (what: string) => `${what} ${wish.language} ${wish.size}`;
    let page: Page;
    before(async () => {
      page = await desk.openSignedIn(wish);
    });
    after(() => page.context().close());

    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    const shown = (text: string) => page.locator('main').getByText(text).first().waitFor();
    const callList = async (key: string) =>
      (await desk.service.call('GET', 'vouchers.php?site_id=1', { key })).status;

    /** By the menu, as it is on this screen. */
    async function goTo(label: string): Promise<void> {
      if (wish.size === 'phone') await button(words.nav.more).click();
      await page.getByRole('navigation').getByRole('link', { name: label, exact: true }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
    }

    test('a profile is made, and fills the form with one click', async () => {
      await goTo(words.profiles.title);
      await page.locator('#name').fill(own('Tagung'));
      await page.locator('#uses').fill('7');
      await button(words.profiles.add).click();
      await row(own('Tagung')).waitFor();
      await page.goto('/');
      await page.getByRole('link', { name: own('Tagung') }).click();
      assert.equal(await page.locator('#uses').inputValue(), '7');
    });

    test('somebody is added for one site, signs in with the password shown, and can do no more', async () => {
      await goTo(admin.nav.people);
      await link(admin.people.add).click();
      const email = `${wish.language}-${wish.size}@example.org`;
      await page.getByLabel(admin.people.email).fill(email);
      await page.getByLabel(admin.people.name, { exact: true }).fill(own('Empfang'));
      await page.getByLabel('Demo').check();
      await button(admin.people.add).click();
      const password = await page.locator('.secret-text').innerText();
      const desktop = await desk.open(wish);
      await signIn(desktop, password, email);
      assert.equal((await desktop.goto('/keys'))?.status(), 403);
      await makeVouchers(desktop, own('Gast'));
      await desktop.context().close();
    });

    test('a key is shown once, works, and is revoked after a question', async () => {
      await goTo(admin.nav.keys);
      await page.getByLabel(admin.keys.name, { exact: true }).fill(own('Kasse'));
      await button(admin.keys.add).click();
      const key = await page.locator('.secret-text').innerText();
      assert.equal(await callList(key), 200);
      await link(admin.stored).click();
      await row(own('Kasse')).getByRole('link', { name: admin.keys.revoke }).click();
      await shown(admin.keys.revokeWhat);
      await button(admin.keys.revoke).click();
      await row(own('Kasse')).getByText(admin.keys.revoked).waitFor();
      assert.equal(await callList(key), 401);
    });

    test('a webhook is added and tried out; it hears of vouchers, and can be told again', async () => {
      await goTo(admin.nav.webhooks);
      await link(admin.webhooks.add).click();
      await page.getByLabel(admin.webhooks.url).fill(`${receiver.url}?${wish.language}-${wish.size}`);
      await page.getByLabel(admin.webhooks.format).selectOption('generic');
      await button(admin.webhooks.add).click();
      assert.match(await page.locator('.secret-text').innerText(), /^whsec_/);
      await link(admin.stored).click();
      await page.waitForURL(/\/webhooks\/\d+$/);
      const detail = page.url();
      await button(admin.webhooks.test).click();
      await page.getByRole('status').waitFor();
      assert.equal(receiver.arrivals.at(-1)?.body.type, 'webhook.test');

      await makeVouchers(page, own('Hochzeit'), 3);
      const heard = () => receiver.arrivals.filter(({ body }) => body.type === 'voucher.created').length;
      await until(() => heard() > 0);
      await page.goto(`${detail}/deliveries`);
      await page.getByRole('row').filter({ hasText: 'Demo' }).getByRole('link').first().click();
      const before = heard();
      await button(admin.webhooks.resend).click();
      await until(() => heard() > before);
      await page.goto(`${detail}/remove`);
      await button(admin.webhooks.remove).click();
    });

    test('a voucher is revoked after a question, and is in the export of what was looked for', async () => {
      await makeVouchers(page, own('Falscher'));
      const code = await page.locator('.hero .code').innerText();
      await page.goto('/vouchers');
      await page.getByLabel(words.list.search).fill(own('Falscher'));
      await button(words.list.find).click();
      const download = page.waitForEvent('download');
      await link(words.revoke.export).click();
      const csv = readFileSync(await (await download).path(), 'utf8');
      assert.ok(csv.includes(code.replace('-', '')) || csv.includes(code));
      await link(code).click();
      await link(words.revoke.revoke).click();
      await shown(words.revoke.what);
      await button(words.revoke.revoke).click();
      await page.locator('.pill', { hasText: words.revoke.revoked }).waitFor();
    });

    test('the log says who revoked it', async () => {
      await goTo(admin.nav.audit);
      await page.locator('#action').selectOption('voucher.revoked');
      await button(admin.audit.find).click();
      await page.getByRole('row').filter({ hasText: 'anna' }).first().waitFor();
    });

    test('the overview says what is wrong, and leads to where it is mended', async () => {
      const id = await desk.service.addSite('default', own('Strandhaus'));
      desk.service.change(`insert into site_syncs (site_id, failed_at_ms, error) values (${id}, 1, 'away')`);
      await goTo(words.overview.title);
      const line = page
        .getByRole('listitem')
        .filter({ hasText: own('Strandhaus') })
        .first();
      await line.getByRole('link').click();
      assert.equal(new URL(page.url()).pathname, `/sites/${id}`);
    });
  });
