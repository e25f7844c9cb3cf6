// The service sends through Debian's Postfix, and the mails are read from its mailbox: what a real mail server takes,
// and what it makes of it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { FIRST_SLIP } from '../../../src/kernel/slips/slip.ts';
import { TESTER } from '../../support/actors.ts';
import { readQrPng } from '../../support/read-qr-png.ts';
import { until } from '../../support/until.ts';
import { type MailingService, startMailingService, untilState } from './mailing-service.ts';
import { type Postfix, startPostfix } from './postfix.ts';

const WIFI = { wifiName: 'Gäste am See', wifiSecurity: 'wpa', wifiPassword: 'über; den: See' } as const;

let postfix: Postfix;
let service: MailingService;
before(async () => {
  postfix = await startPostfix((address) => address.startsWith('grey'));
  service = await startMailingService({
    SMTP_URL: `smtp://localhost:${postfix.port}`,
    SMTP_CA_FILE: postfix.caFile,
    MAIL_FROM: 'Hotel Löwen <wlan@hotel.example>',
  });
  const audit = { actor: TESTER, atMs: Date.now() };
  await service.beside.slips.save(asSiteId(1), { ...FIRST_SLIP, ...WIFI, text: 'Grüß Gott\n.\n..' }, audit);
});
after(async () => {
  await service?.stop();
  await postfix?.[Symbol.asyncDispose]();
});

test('mails arrive by STARTTLS with code and QR code, whole and once', async () => {
  const guests = [];
  for (let number = 0; number < 10; number++) guests.push(await service.order(`gast+${number}@example.org`));
  await untilState(guests, 'sent');
  for (const guest of guests) {
    await until(async () => (await postfix.mailsOf(guest.address)).length > 0, { otherwise: postfix.log });
    const [mail, ...others] = await postfix.mailsOf(guest.address);
    assert.ok(mail);
    assert.deepEqual(others, []);
    assert.equal(mail.messageId, (await guest.find()).messageId);
    assert.deepEqual([mail.from?.name, mail.from?.address], ['Hotel Löwen', 'wlan@hotel.example']);
    for (const content of [mail.text, mail.html])
      assert.ok(content?.replaceAll('-', '').includes(guest.code), content);
    assert.match(mail.text ?? '', /^Grüß Gott\r?\n\.\r?\n\.\.\r?$/m);
    const qr = mail.attachments.find(({ filename }) => filename === 'qr.png');
    assert.ok(qr?.content instanceof ArrayBuffer);
    assert.equal(readQrPng(Buffer.from(qr.content)), 'WIFI:T:WPA;S:Gäste am See;P:über\\; den\\: See;;');
    assert.ok(mail.html?.includes(`cid:${qr.contentId?.slice(1, -1)}`));
  }
  assert.match(postfix.log(), /starttls=1/);
  assert.doesNotMatch(postfix.log(), /status=(bounced|deferred)/);
});

test('a guest whom Postfix greylists gets the mail later, once', async () => {
  const guest = await service.order('grey@example.org');
  await untilState([guest], 'sent');
  assert.ok(postfix.greylisted.has(guest.address));
  assert.equal((await guest.find()).attempts, 2);
  await until(async () => (await postfix.mailsOf(guest.address)).length === 1, { otherwise: postfix.log });
});

test('a guest whom Postfix does not know gets no mail, and the reason is shown', async () => {
  const guest = await service.order('unknown@example.org');
  await untilState([guest], 'failed');
  const { attempts, lastError } = await guest.find();
  assert.equal(attempts, 1);
  assert.match(lastError ?? '', /^recipient: 550 5\.1\.1 <u…@example\.org>: .*User unknown/);
});
