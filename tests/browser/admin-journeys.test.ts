// The tasks of an administrator in a real browser: profiles, users, keys, webhooks, revoking a voucher, the audit log,
// and the overview that lists problems. Once in German on a desktop, once in English on a phone.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { WEBHOOK_TEXTS } from '../../src/features/webhooks/webhook-texts.ts';
import { until } from '../support/until.ts';
import { PASSWORD } from '../web/web-client.ts';
import { type RecordingReceiver, startReceiver } from '../webhooks/delivery/recording-receiver.ts';
import { type Desk, EACH_ONCE, follow, handsOn, makeVouchers, setupDesk, WORDS } from './desk.ts';

let desk: Desk;
let receiver: RecordingReceiver;
before(async () => {
  desk = await setupDesk({ pace: 0.1 });
  receiver = await startReceiver();
});
after(async () => {
  await desk.close();
  await receiver.stop();
});

for (const input of EACH_ONCE)
  describe(`in ${input.language} on a ${input.size}`, () => {
    const words = WORDS[input.language];
    const { admin } = words;
    const own = (what: string) => `${what} ${input.language}`;
    let page: Page;
    let hands: ReturnType<typeof handsOn>;
    before(async () => {
      page = await desk.openLoggedIn(input);
      hands = handsOn(page, input);
    });
    after(() => page.context().close());

    const heard = () => receiver.arrivals.filter(({ body }) => body.type === 'voucher.created').length;
    const count = (of: string) => desk.service.rows(`select id from ${of}`).length;
    const callList = async (key: string) =>
      (await desk.service.call('GET', 'vouchers.php?site_id=1', { key })).status;

    test('a new profile fills the form with one click', async () => {
      await hands.goTo(words.profiles.title);
      await page.locator('#name').fill(own('Tagung'));
      await page.locator('#uses').fill('7');
      await hands.button(words.profiles.add).click();
      await hands.row(own('Tagung')).waitFor();
      await page.goto('/');
      await page.locator('#name').fill('Frau Okafor');
      await hands.button(own('Tagung')).click();
      await page.waitForURL(/profile=/);
      assert.equal(await page.locator('#uses-more').inputValue(), '7');
      assert.equal(await page.locator('#name').inputValue(), 'Frau Okafor', 'the typed name is kept');
    });

    test('a new operator of one site has no further rights, and is logged out when deactivated', async () => {
      const { users: text } = admin;
      await hands.goTo(admin.nav.users);
      await hands.link(text.add).click();
      const email = `${input.language}@example.org`;
      await hands.field(text.email).fill(email);
      await hands.field(text.name).fill(own('Empfang'));
      await page.getByLabel('Demo').check();
      await follow(hands.button(words.invitation.users.invite), '/users/add');
      const link = await page.locator('.secret-text').innerText();
      const desktop = await desk.open(input);
      await desktop.goto(link);
      await desktop.locator('#password').fill(PASSWORD);
      await handsOn(desktop, input).button(words.invitation.button).click();
      await handsOn(desktop, input).shown(words.notices.passwordChosen);
      assert.equal((await desktop.goto('/keys'))?.status(), 403);
      await makeVouchers(desktop, own('Gast'));

      await hands.link(words.invitation.users.back).click();
      await hands.link(text.changeHidden(own('Empfang'))).click();
      await hands.link(text.switchOff).click();
      await hands.shown(text.offWhat);
      await hands.button(text.switchOff).click();
      await hands.row(own('Empfang')).getByText(text.off).waitFor();
      await desktop.goto('/');
      assert.match(desktop.url(), /\/login/);
      await hands.link(text.changeHidden(own('Empfang'))).click();
      await hands.button(text.switchOn).click();
      await hands.row(own('Empfang')).getByText(text.active).waitFor();
      await desktop.context().close();
    });

    test('a key is shown once, works, gets another limit, and is revoked after a confirmation', async () => {
      await hands.goTo(admin.nav.keys);
      await hands.field(admin.keys.name).fill(own('Kasse'));
      await follow(hands.button(admin.keys.add), '/keys');
      const key = await page.locator('.secret-text').innerText();
      assert.equal(await callList(key), 200);
      await hands.link(admin.stored).click();
      const change = hands.row(own('Kasse')).getByRole('link', { name: admin.keys.change });
      await follow(change, /\/keys\/[^/]+$/);
      assert.ok(!(await page.content()).includes(key));
      await hands.field(admin.keys.limit).fill('45');
      await hands.button(admin.save).click();
      await hands.row(own('Kasse')).getByRole('cell', { name: '45' }).waitFor();
      await hands.row(own('Kasse')).getByRole('link', { name: admin.keys.revoke }).click();
      await hands.shown(admin.keys.revokeWhat);
      await hands.button(admin.keys.revoke).click();
      await hands.row(own('Kasse')).getByText(admin.keys.revoked, { exact: true }).waitFor();
      assert.equal(await callList(key), 401);
    });

    test('a webhook is added and tested, is notified of vouchers, and a delivery can be repeated', async () => {
      // A new webhook would also be notified of older vouchers while they are in the outbox.
      await until(() => count('outbox') === 0);
      await hands.goTo(WEBHOOK_TEXTS[input.language].title);
      await hands.link(WEBHOOK_TEXTS[input.language].add).click();
      await hands.field(WEBHOOK_TEXTS[input.language].url).fill(`${receiver.url}?${input.language}`);
      await hands.field(WEBHOOK_TEXTS[input.language].format).selectOption('generic');
      await follow(hands.button(WEBHOOK_TEXTS[input.language].add), '/webhooks/add');
      assert.match(await page.locator('.secret-text').innerText(), /^whsec_/);
      await follow(hands.link(admin.stored), /\/webhooks\/\d+$/);
      const detail = page.url();
      await hands.button(WEBHOOK_TEXTS[input.language].test).click();
      await page.getByRole('status').waitFor();
      assert.equal(receiver.arrivals.at(-1)?.body.type, 'webhook.test');

      const already = heard();
      await makeVouchers(page, own('Hochzeit'), 3);
      await until(() => heard() > already);
      // The receiver gets the notification before the service records the response. Until then the page shows another
      // button.
      await until(() => count("messages where state = 'waiting'") === 0);
      await page.goto(`${detail}/deliveries`);
      await page.getByRole('row').filter({ hasText: 'Demo' }).getByRole('link').first().click();
      const before = heard();
      await hands.button(WEBHOOK_TEXTS[input.language].resend).click();
      await until(() => heard() > before);
    });

    test('a webhook gets a new secret, gets no notifications while it is off, and is removed', async () => {
      const text = WEBHOOK_TEXTS[input.language];
      await hands.goTo(WEBHOOK_TEXTS[input.language].title);
      await hands.link(new URL(receiver.url).host).click();
      await hands.link(text.rotate).click();
      await hands.shown(text.rotateWhat);
      await follow(hands.button(text.rotate), /\/rotate$/);
      const secret = await page.locator('.secret-text').innerText();
      assert.match(secret, /^whsec_/);
      await hands.link(admin.stored).click();
      await hands.button(text.switchOff).click();
      await page.locator('.pill', { hasText: text.off }).waitFor();
      await page.waitForLoadState();
      assert.ok(!(await page.content()).includes(secret));
      const detail = page.url();
      const before = heard();
      await makeVouchers(page, own('Ausgeschaltet'));
      await until(() => count('outbox') === 0);
      await page.goto(detail);
      await hands.button(text.switchOn).click();
      await page.locator('.pill', { hasText: text.active }).waitFor();
      await hands.button(text.test).click();
      await page.getByRole('status').waitFor();
      const signatures = String(receiver.arrivals.at(-1)?.headers['webhook-signature']);
      assert.equal(signatures.split(' ').length, 2, 'signed with the old secret and the new one');
      assert.equal(heard(), before);
      await hands.link(text.remove).click();
      await hands.shown(text.removeWhat);
      await hands.button(text.remove).click();
      await hands.shown(text.empty);
    });

    test('a voucher is revoked after a confirmation, and a search result is exported', async () => {
      await makeVouchers(page, own('Falscher'));
      const code = await page.locator('.hero .code').innerText();
      await page.goto('/vouchers');
      await hands.field(words.list.search).fill(own('Falscher'));
      await page.waitForURL((url) => url.searchParams.get('q') === own('Falscher'));
      const csv = String(await hands.download(words.revoke.export));
      assert.ok(csv.includes(code.replace('-', '')) || csv.includes(code));
      await hands.link(own('Falscher')).click();
      await hands.link(words.revoke.revoke).click();
      await hands.shown(words.revoke.what);
      await hands.button(words.revoke.revoke).click();
      await page.locator('.pill', { hasText: words.state.revoked }).waitFor();
      const [heading, message] = [page.locator('h1'), page.getByRole('status')];
      const [above, below] = [await heading.boundingBox(), await message.boundingBox()];
      const gap = (below?.y ?? 0) - (above ? above.y + above.height : 0);
      assert.ok(gap >= 12, `${gap} px between the heading and the message`);
    });

    test('the audit log names the user who revoked a voucher, and the download has the same filter', async () => {
      await hands.goTo(admin.nav.audit);
      await hands.field(admin.audit.kind).selectOption('voucher.revoked');
      await hands.field(admin.audit.who).selectOption({ label: 'anna' });
      await hands.button(admin.audit.find).click();
      await hands.link(admin.audit.clear).waitFor();
      // The table comes after the link.
      await page.waitForLoadState();
      const cells = await page
        .getByRole('row')
        .getByText(
          input.language === 'de'
            ? /anna hat Voucher \d{5}-\d{5} \(.+\) widerrufen/
            : /anna revoked voucher \d{5}-\d{5}/,
        )
        .count();
      assert.equal(cells, await page.locator('tbody tr').count());
      const [head, ...lines] = String(await hands.download(admin.audit.download))
        .trim()
        .split('\r\n');
      assert.ok(head && lines.length === cells);
      for (const line of lines) assert.match(line, /voucher\.revoked/);
    });

    test('the overview lists a problem, with a link to the page where it is solved', async () => {
      const id = await desk.service.addSite('default', own('Strandhaus'));
      desk.service.change(
        "insert into site_syncs (site_id, failed_at_ms, error) values (?, ?, 'away')",
        id,
        desk.service.clock.nowMs(),
      );
      await hands.goTo(words.overview.title);
      const line = page
        .getByRole('listitem')
        .filter({ hasText: own('Strandhaus') })
        .first();
      await follow(line.getByRole('link'), (url) => url.pathname === `/sites/${id}`);
    });
  });
