// E-mail in a real browser: an administrator sets up the mail server and tests it, a voucher goes to its guest, again,
// and to somebody else; and an address that the server refuses is shown until somebody has read it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { MAIL_SERVER_TEXTS, MAIL_TEXTS } from '../../src/features/mail/mail-texts.ts';
import { startMailServer, type TestMailServer } from '../support/mail/mail-server.ts';
import { until } from '../support/until.ts';
import { type Desk, EMAIL, follow, handsOn, type Screen, setupDesk, untilMade } from './desk.ts';

const GUEST = 'ada@example.org';
const MASKED = 'a…\u2060@example.org';
const REFUSAL = '550 5.1.1 No such user here';
const PREVIEW_TEXT = 'Willkommen im Haus';

let desk: Desk;
let server: TestMailServer;
before(async () => {
  server = await startMailServer();
  desk = await setupDesk({ pace: 0.1 });
});
after(async () => {
  await desk.close();
  await server.stop();
});

const newestState = () =>
  desk.service.rows("select state from messages where channel = 'mail' order by id desc limit 1")[0]?.state;
/** Waits until the server has received so many mails, and the service has noted it. */
const untilSent = (mails: number) => until(() => server.mails.length === mails && newestState() === 'done');
const mark = (page: Page) => page.locator('.state-of svg title').first();

async function open(screen: Screen) {
  const page = await desk.openLoggedIn(screen);
  return { page, ...handsOn(page, screen) };
}

/** Fills in the form on the home page and ends on the result page. */
async function makeForGuest(hands: Awaited<ReturnType<typeof open>>, name: string) {
  const { page, button, field, words, language } = hands;
  await page.locator('#name').fill(name);
  await page.locator('summary').filter({ hasText: MAIL_TEXTS[language].one }).click();
  await field(MAIL_TEXTS[language].language).selectOption('en');
  await page.locator('#email').fill(GUEST);
  await button(words.form.button).click();
  await untilMade(page);
}

test('an administrator sets up e-mail, and a voucher goes to its guest, again and to somebody else', async () => {
  const hands = await open({ language: 'de', size: 'phone' });
  const { page, words, button, field, link, shown, told } = hands;
  const { de: text } = MAIL_TEXTS;
  const { de: mailServer } = MAIL_SERVER_TEXTS;
  await page.goto('/settings/e-mail');
  await field(mailServer.host).fill('127.0.0.1');
  await field(mailServer.port).fill(String(server.port));
  await page.getByLabel(mailServer.encryption.off.label, { exact: true }).check();
  await field(mailServer.from).fill('wlan@hotel.example');
  await button(words.admin.save).click();
  await shown(mailServer.worksWithoutLogin);
  await button(mailServer.testSend).click();
  await shown(mailServer.tested(EMAIL));
  assert.deepEqual(server.mails[0]?.envelope.to, [EMAIL]);

  await page.goto('/');
  const isInView = `(() => {
    const { left, top, width, height } = document.querySelector('.making button.primary').getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height - 1)?.matches('button.primary');
  })()`;
  assert.equal(await page.evaluate(isInView), true, 'the button is in view without scrolling');
  await makeForGuest(hands, 'Zimmer 12');
  // The mail may have been sent already.
  const said = await page.locator('.mailed').innerText();
  assert.ok(
    [text.waits(MASKED), text.sent(MASKED, '')].some((one) => said.startsWith(one.slice(0, -1))),
    said,
  );
  await untilSent(2);
  const mail = await server.mails[1]?.parse();
  const [voucher] = desk.service.rows('select id, code from vouchers');
  assert.match(mail?.text ?? '', new RegExp(String(voucher?.code).replace(/^.{5}/, '$&-')));
  assert.deepEqual([mail?.to?.[0]?.address, mail?.subject], [GUEST, 'Your Wi-Fi access: Demo']);

  await page.goto('/vouchers');
  const sent = text.sent(MASKED, '');
  assert.ok((await mark(page).textContent())?.startsWith(sent));
  await follow(link('Zimmer 12'), /\/vouchers\/\d+/);
  await shown(sent);
  await page.locator('.mails .pill').getByText(text.states.sent).waitFor();
  await button(text.again).click();
  await told(words.notices.mailOrdered);
  await untilSent(3);
  assert.notEqual(server.mails[2]?.messageId, server.mails[1]?.messageId);
  await follow(link(text.toAnother), /\/mail/);
  await field(text.address).fill('eve@example.org');
  await button(text.button).click();
  await told(words.notices.mailOrdered);
  await untilSent(4);
  assert.deepEqual(server.mails[3]?.envelope.to, ['eve@example.org']);
  await page.context().close();
});

test('an address that the server refuses is shown on home, list and voucher until somebody has read it', async () => {
  server.setFault((step) => (step === 'recipient' ? REFUSAL : undefined));
  const hands = await open({ language: 'en', size: 'desktop' });
  const { page, button, link, row, shown } = hands;
  const { en: text } = MAIL_TEXTS;
  await makeForGuest(hands, 'Room 7');
  await until(() => newestState() === 'failed');

  await page.goto('/vouchers');
  assert.equal(await row('Room 7').locator('.icon.bad title').textContent(), text.failed(MASKED));
  await page.goto('/');
  await shown(text.unread(1));
  await follow(link(text.look), /\/mails\?state=unread/);
  await follow(link('a…@example.org'), /\/mails\/\d+/);
  await page.getByRole('cell', { name: REFUSAL }).waitFor();
  await follow(page.locator('main a.code'), /\/vouchers\/\d+/);
  await page.locator('.mailed.bad').getByText(text.failed(MASKED)).waitFor();
  await shown(REFUSAL);
  await follow(button(text.markRead), /\/vouchers\/\d+/);
  assert.equal(await page.locator('.mailed.bad').count(), 0);
  for (const path of ['/', '/vouchers']) {
    await page.goto(path);
    assert.equal(await page.locator('.icon.bad, a[href="/mails?state=unread"]').count(), 0, path);
  }
  await page.context().close();
});

test('the preview of the texts of a site shows what is typed, beside the form', async () => {
  const { page, field, button } = await open({ language: 'de', size: 'desktop' });
  const { de: text } = MAIL_TEXTS;
  await page.goto('/sites/1/mail');
  await field(`${text.greeting} (Deutsch)`).fill(PREVIEW_TEXT);
  await button('Deutsch').click();
  await page.frameLocator('.mail-preview').getByText(PREVIEW_TEXT).waitFor();
  const [form, preview] = [
    await page.locator('#texts').boundingBox(),
    await page.locator('.mail-preview').boundingBox(),
  ];
  assert.ok(form && preview && preview.x > form.x + form.width);
  await page.context().close();
});
