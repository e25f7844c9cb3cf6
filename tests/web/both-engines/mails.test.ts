// Tests e-mail on the pages: the field of the form, the mails of a voucher, the row in the list, the page of mails, and
// the texts of a site.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startMailServer } from '../../support/mail/mail-server.ts';
import { failMail, newestMailOf, setupMail } from '../../support/setup-mail.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

const WORDS = '550 5.1.1 User unknown';
let service: TestService;
let anna: WebClient;
/** An operator of another site. */
let ben: WebClient;

before(async () => {
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  const benId = await addUser(service, 'ben@example.org', 'operator');
  const other = await service.addSite('default', 'Haus B');
  service.change(`insert into user_sites (user_id, site_id) values (${benId}, ${other})`);
  anna = await loggedIn(service, 'anna@example.org');
  ben = await loggedIn(service, 'ben@example.org');
});
after(() => service.stop());

const mails = () => service.rows("select id, state from messages where channel = 'mail' order by id");
const newestVoucher = () => Number(service.rows('select max(id) as id from vouchers')[0]?.id);

async function makeWithMail(
  name: string,
  email = 'ada@example.org',
): Promise<{ voucher: number; mail: number }> {
  await anna.post('/vouchers', { site: '1', name, email, language: 'en' });
  return { voucher: newestVoucher(), mail: newestMailOf(service) };
}

test('nothing is said about e-mail until it is set up', async () => {
  await anna.post('/vouchers', { site: '1', name: 'Ohne' });
  const voucher = `/vouchers/${newestVoucher()}`;
  for (const path of ['/', '/vouchers', voucher])
    assert.doesNotMatch((await anna.get(path)).text, /E-Mail des|per E-Mail|Per E-Mail/);
  assert.equal((await anna.get(`${voucher}/mail`)).location, voucher);
  const refused = await anna.post('/vouchers', { site: '1', name: 'x', email: 'ada@example.org' });
  assert.match((await anna.get(refused.location ?? '')).text, /E-Mail ist nicht eingerichtet/);
  await setupMail(service);
});

test('a wrong address creates nothing, and everything typed stays', async () => {
  for (const email of ['ada', 'ada@example', 'a@example.org, b@example.org', '"a b"@example.org']) {
    const page = await anna.post('/vouchers', { site: '1', name: 'Zimmer 9', email, language: 'en' });
    assert.equal(page.status, 422);
    assert.match(page.text, /Bitte eine einzelne Adresse eintragen/);
    assert.match(page.text, /value="Zimmer 9"/);
    assert.match(page.text, /<details open><summary>E-Mail</);
    assert.match(page.text, /<option value="en" selected>/);
  }
  assert.equal(service.rows("select id from vouchers where name like '%Zimmer 9'").length, 0);
});

test('a voucher with an address is on its way: on the next page, in the list and on its own page', async () => {
  const made = await anna.post('/vouchers', { site: '1', name: 'Zimmer 12', email: ' ada@example.org ' });
  const said = /E-Mail an a…\u2060@example\.org ist unterwegs/;
  for (const path of [made.location ?? '', '/vouchers', `/vouchers/${newestVoucher()}`]) {
    const { text } = await anna.get(path);
    assert.match(text, said, path);
    assert.doesNotMatch(text, /ada@example/, path);
  }
  const again = await anna.get(made.location ?? '');
  assert.doesNotMatch(again.text, /name="email"/, 'the next guest has another address');
  assert.match((await anna.get('/')).text, /<details open><summary>E-Mail<.*\n.*name="email"[^>]* value=""/);
});

test('a typed address is kept by profiles and failed orders, but never appears in a URL', async () => {
  const fields = { site: '1', name: 'x', email: 'ada@example.org', language: 'en' };
  const filled = await anna.post('/vouchers', { ...fields, switch: 'site' });
  assert.doesNotMatch(filled.location ?? '', /ada|example/);
  assert.match((await anna.get(filled.location ?? '')).text, /name="email"[^>]* value="ada@example\.org"/);

  const broken = await service.addSite('fail:refuse', 'Kaputt');
  const failed = await anna.post('/vouchers', { ...fields, site: String(broken) });
  const { text } = await anna.get(failed.location ?? '');
  const change = /href="(\/\?[^"]*instead=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  assert.doesNotMatch(change, /ada|example/);
  const { text: form } = await anna.get(change);
  assert.match(form, /name="email"[^>]* value="ada@example\.org"/);
  assert.match(form, /<option value="en" selected>/);

  // Another attempt sends mails, too, so it must not begin without the address.
  service.change(`update batches set sealed_mail = 'copied' where site_id = ${broken}`);
  const { location } = await anna.post(`${failed.location}/retry`, {});
  assert.match(location ?? '', /^\/\?.*instead=/);
  assert.match((await anna.get(location ?? '')).text, /name="email"[^>]* value=""/);
  assert.equal(service.rows(`select id from batches where site_id = ${broken}`).length, 1);
});

test('each voucher of a batch has a mail, and the batch says how many are in which state', async () => {
  const made = await anna.post('/vouchers', {
    site: '1',
    name: 'Tagung',
    count: '3',
    email: 'team@example.org',
  });
  failMail(service, newestMailOf(service), WORDS);
  const { text } = await anna.get(made.location ?? '');
  assert.match(text, /E-Mails: (2 wartend, 1 nicht zugestellt|1 nicht zugestellt, 2 wartend)/);
  const kept = service.rows('select id from batches where problem is null and sealed_mail is not null');
  assert.deepEqual(kept, [], 'a complete batch needs the address no longer');
});

test('a voucher is sent later, and to somebody else', async () => {
  const { location: result = '' } = await anna.post('/vouchers', { site: '1', name: 'Zimmer 14' });
  const path = `/vouchers/${newestVoucher()}`;
  for (const page of ['/vouchers', path, String(result)])
    assert.match((await anna.get(page)).text, new RegExp(`href="${path}/mail">.*Per E-Mail senden`), page);
  assert.equal((await anna.post(`${path}/mail`, { email: '' })).status, 422);
  const before = mails().length;
  assert.equal((await anna.post(`${path}/mail`, { email: 'eve@example.org' })).location, path);
  assert.equal(mails().length, before + 1);
  const { text } = await anna.get(path);
  assert.match(text, /Die E-Mail ist unterwegs/);
  assert.match(text, /E-Mail an e…\u2060@example\.org ist unterwegs/);
  assert.match(text, /An andere Adresse senden/);
});

test('a mail that failed is shown until somebody has read it, and can be sent again', async () => {
  const { voucher, mail } = await makeWithMail('Zimmer 15');
  failMail(service, mail, WORDS);
  const pages = ['/', '/vouchers', `/vouchers/${voucher}`, '/overview', '/mails?state=unread'];
  for (const path of pages) assert.match((await anna.get(path)).text, /nicht zugestellt/, path);
  const page = await anna.get(`/vouchers/${voucher}`);
  assert.match(page.text, /550 5\.1\.1 User unknown/);
  assert.match((await anna.get('/vouchers')).text, /class="icon bad"/);

  const [first] = service.rows(
    "select id from messages where channel = 'mail' and state = 'failed' order by id",
  );
  for (const id of [Number(first?.id), mail])
    assert.equal((await anna.post(`/mails/${id}/read`, { next: '/mails' })).location, '/mails');
  for (const path of ['/', '/overview'])
    assert.doesNotMatch((await anna.get(path)).text, /nicht zugestellt/, path);
  assert.doesNotMatch((await anna.get('/vouchers')).text, /class="icon bad"/);

  assert.equal(
    (await anna.post(`/mails/${mail}/resend`, { next: `/vouchers/${voucher}` })).location,
    `/vouchers/${voucher}`,
  );
  assert.deepEqual(mails().find(({ id }) => Number(id) === mail)?.state, 'waiting');
  assert.match((await anna.get(`/mails/${mail}`)).text, /550 5\.1\.1 User unknown/);
});

test('nothing is offered or sent for a voucher that has ended', async () => {
  const { voucher, mail } = await makeWithMail('Zimmer 16');
  service.change(`update vouchers set ended_at_s = 1, revoked_at_s = 1 where id = ${voucher}`);
  const path = `/vouchers/${voucher}`;
  assert.doesNotMatch((await anna.get(path)).text, /Per E-Mail senden|Jetzt senden|An andere Adresse/);
  assert.doesNotMatch((await anna.get(`/mails/${mail}`)).text, /Jetzt senden/);
  assert.equal((await anna.get(`${path}/mail`)).location, path);
  const before = mails().length;
  assert.equal((await anna.post(`${path}/mail`, { email: 'eve@example.org' })).status, 409);
  assert.equal((await anna.post(`/mails/${mail}/resend`, {})).status, 409);
  assert.equal(mails().length, before);
});

test('the page of mails shows those of the own sites, filtered and page by page', async () => {
  assert.doesNotMatch((await ben.get('/mails')).text, /example\.org/);
  service.change("update messages set state = 'done', finished_at_ms = 5 where channel = 'mail'");
  assert.match((await anna.get('/mails?state=waiting')).text, /Keine E-Mail mit diesem Status/);
  const { text } = await anna.get('/mails?state=sent');
  assert.match(text, /a…@example\.org/);
  assert.doesNotMatch(text, /Ältere/);
  await anna.post('/vouchers', { site: '1', name: 'Viele', count: '60', email: 'many@example.org' });
  const older = /href="(\/mails\?before=\d+)"/.exec((await anna.get('/mails')).text)?.[1] ?? '';
  assert.match((await anna.get(older)).text, /Neueste/);
});

test('an administrator writes the texts of a site, with placeholders that exist', async () => {
  const path = '/sites/1/mail';
  const wrong = await anna.post(path, { 'greeting-de': 'Liebe {guest}', 'subject-en': 'Wi-Fi at {site}' });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /Den Platzhalter \{guest\} gibt es nicht/);
  assert.match(wrong.text, /Wi-Fi at \{site\}/);
  assert.deepEqual(await service.beside.mailTexts.find(1 as never), {});
  const saved = await anna.post(path, {
    'greeting-de': 'Liebe Gäste von {site},\r\nwillkommen',
    'subject-en': 'Wi-Fi',
  });
  assert.equal(saved.location, path);
  assert.match((await anna.get(path)).text, /willkommen<\/textarea>/);

  const german = await anna.get(`${path}/preview?language=de`);
  assert.match(german.text, /Liebe Gäste von Demo/);
  assert.match(german.text, /src="data:image\/png;base64,/);
  assert.doesNotMatch(german.text, /cid:|<script/);
  const quoted = await anna.post(`${path}/preview`, {
    'closing-en': 'src="cid:qr@gastpass"',
    language: 'en',
  });
  assert.match(quoted.text, /cid:qr@gastpass/, 'a text is not replaced with an image');
  const typed = await anna.post(`${path}/preview`, { 'closing-en': 'See you at {site}', asText: 'en' });
  assert.match(typed.text, /See you at Demo/);
  assert.match((await anna.post(`${path}/preview`, { 'closing-en': '{x}', language: 'en' })).text, /\{x\}/);
});

test('a sample arrives with what is typed, from the site and to the user', async () => {
  await using server = await startMailServer();
  await setupMail(service, { port: server.port });
  const typed = { 'subject-de': 'Ihr WLAN in {site}', 'closing-de': 'Bis bald', language: 'de' };
  const { text } = await anna.post('/sites/1/mail/sample', typed);
  assert.match(text, /Ein Beispiel ist unterwegs an anna@example\.org/);
  assert.match(text, /Bis bald<\/textarea>/, 'nothing typed is lost');
  const mail = await server.mails[0]?.parse();
  assert.deepEqual([mail?.to?.[0]?.address, mail?.subject], ['anna@example.org', 'Ihr WLAN in Demo']);
  assert.match(mail?.text ?? '', /Bis bald/);
  assert.equal(server.mails.length, 1);
  await setupMail(service);
});

test('a sample that the server does not take says so', async () => {
  const page = await anna.post('/sites/1/mail/sample', { 'closing-de': 'Bis bald', language: 'de' });
  assert.match(page.text, /Der Mailserver hat das Beispiel nicht angenommen/);
  assert.match(page.text, /Bis bald/);
});
