// POST /vouchers.php with the headers Guest-Email, Guest-Language and Guest-Print: 201, and what is refused with 400,
// 422, 429 and 503.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { asSiteId, type PrinterId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { refusingInserts } from '../../support/disturb-records.ts';
import { addPrinter } from '../../support/printers.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { FORGOTTEN_AFTER_MS, settle } from '../support/post-vouchers-settle.ts';
import { leaving, ONE_VOUCHER } from '../support/post-vouchers-traces.ts';

const ORDER = { site_id: 1, name: 'Zimmer 4' };
const GUEST = { 'guest-email': 'gast@example.org' };
const ONE_WITH_KEY = { ...ONE_VOUCHER, tickets: 1 };

let service: TestService;
let printer: PrinterId;
before(async () => {
  service = await startTestService({ webhook: true, jobs: false });
  printer = await addPrinter(service.beside);
});
after(() => service.stop());

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });
const saveServer = () =>
  service.beside.mailServer.save(
    {
      host: 'mail.example.org',
      port: 587,
      tls: 'required',
      from: { address: 'wlan@hotel.example' },
      perHour: null,
    },
    audit(),
  );
const create = (headers: Record<string, string>, key = service.keyText) =>
  service.call('POST', 'vouchers.php', { key, headers, body: ORDER });
const lastMessage = (channel: string) =>
  service.rows(`select * from messages where channel = '${channel}' order by id desc limit 1`)[0];
const lastMail = () => lastMessage('mail');
const lastJob = () => lastMessage('printer');
const onPaper = (id: number = printer) => ({ 'guest-print': String(id) });
const lastVoucher = () => service.rows('select max(id) as id from vouchers')[0]?.id;
const lastTicket = () =>
  service.rows('select * from idempotent_answers order by created_at_ms desc limit 1')[0];

test('while e-mail is not set up, Guest-Email is refused with 400', async () => {
  const reply = await leaving(service, {}, () => create(GUEST));
  assert.equal(reply.status, 400);
  assert.equal(
    reply.text,
    '{"error":"invalid_request","message":"Guest-Email: E-Mail ist nicht eingerichtet"}',
  );
  assert.equal(reply.headers.get('gastpass-retry'), 'no');
  await saveServer();
});

/** Sends the header lines as raw bytes, because an HTTP client would refuse to send some of them. */
function send(...lines: string[]): Promise<string> {
  const order = JSON.stringify(ORDER);
  const head = [
    'POST /api/vouchers.php HTTP/1.1',
    'Host: localhost',
    `X-API-Key: ${service.keyText}`,
    `Content-Length: ${order.length}`,
    ...lines,
  ];
  return rawRequest(service.url, Buffer.from(`${head.join('\r\n')}\r\n\r\n${order}`, 'latin1'));
}

const longest = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
const malformed: [header: string, ...lines: string[]][] = [
  ['Guest-Email', 'Guest-Email:'],
  ['Guest-Email', 'Guest-Email:   '],
  ['Guest-Email', 'Guest-Email: gast'],
  ['Guest-Email', 'Guest-Email: gast@localhost'],
  ['Guest-Email', 'Guest-Email: Gast <gast@example.org>'],
  ['Guest-Email', 'Guest-Email: "gast"@example.org'],
  ['Guest-Email', 'Guest-Email: gast(Anna)@example.org'],
  ['Guest-Email', 'Guest-Email: a@example.org,b@example.org'],
  ['Guest-Email', 'Guest-Email: a@example.org;b@example.org'],
  ['Guest-Email', 'Guest-Email: a@example.org b@example.org'],
  ['Guest-Email', 'Guest-Email: gast@example.org\tBcc: b@example.org'],
  ['Guest-Email', 'Guest-Email: gast@b\u00fccher.example'],
  ['Guest-Email', 'Guest-Email: .gast@example.org'],
  ['Guest-Email', `Guest-Email: a${longest}`],
  ['Guest-Email', `Guest-Email: ${longest}d`],
  ['Guest-Email', 'Guest-Email: gast@example.org', 'Guest-Email: gast@example.org'],
  ['Guest-Language', 'Guest-Language:', 'Guest-Email: gast@example.org'],
  ['Guest-Language', 'Guest-Language: de_AT', 'Guest-Email: gast@example.org'],
  ['Guest-Language', 'Guest-Language: de', 'Guest-Language: de', 'Guest-Email: gast@example.org'],
  ['Guest-Language', 'Guest-Language: de;q=1, en', 'Guest-Email: gast@example.org'],
  ['Guest-Language', 'Guest-Language: deutschsprachig'],
  ['Guest-Language', 'Guest-Language: -'],
  ['Guest-Print', 'Guest-Print:'],
  ['Guest-Print', 'Guest-Print: Rezeption'],
  ['Guest-Print', 'Guest-Print: 0'],
  ['Guest-Print', 'Guest-Print: 01'],
  ['Guest-Print', 'Guest-Print: -1'],
  ['Guest-Print', 'Guest-Print: 1.0'],
  ['Guest-Print', 'Guest-Print: 1e0'],
  ['Guest-Print', 'Guest-Print: 2147483648'],
  ['Guest-Print', 'Guest-Print: 1 1'],
  ['Guest-Print', 'Guest-Print: 1', 'Guest-Print: 1'],
  ['Guest-Print', 'Guest-Print: x', 'Guest-Email: gast@example.org'],
];
for (const [header, ...lines] of malformed)
  test(`a malformed header is refused with 400 and creates nothing: ${lines.join(', ').slice(0, 80)}`, async () => {
    const reply = await leaving(service, {}, () => send(...lines));
    assert.match(reply, /^HTTP\/1\.1 400 /);
    assert.match(reply, new RegExp(`"invalid_request","message":"${header} muss `));
  });

test('the voucher is sent to the address, in a language that is offered', async () => {
  const addresses = ['gast@example.org', "o'hara+wlan@sub.example.org", longest];
  for (const address of addresses)
    assert.match(
      await leaving(service, ONE_VOUCHER, () => send(`Guest-Email: ${address}`)),
      /^HTTP\/1\.1 201 /,
    );
  for (const [tag, language] of [
    ['de-AT', 'de'],
    ['EN', 'en'],
    ['zh-Hant-TW', undefined],
    ['x-private', undefined],
  ] as const) {
    const reply = await create({ ...GUEST, 'guest-language': tag });
    assert.equal(reply.status, 201);
    assert.equal(JSON.parse(String(lastMail()?.payload)).language, language, tag);
  }
  assert.doesNotMatch(JSON.stringify(lastMail()), /gast@/);
});

test('Guest-Language alone sends nothing', async () => {
  const before = lastMail()?.id;
  assert.equal((await create({ 'guest-language': 'de' })).status, 201);
  assert.equal(lastMail()?.id, before);
});

test('the voucher is printed by the printer, and sent, too, if there is an address', async () => {
  const reply = await leaving(service, ONE_VOUCHER, () => create({ ...onPaper(), ...GUEST }));
  assert.equal(reply.status, 201);
  for (const message of [lastJob(), lastMail()])
    assert.partialDeepStrictEqual(message, { state: 'waiting', voucher_id: lastVoucher() });
  assert.partialDeepStrictEqual(lastJob(), { kind: 'slip', recipient_id: printer });
  const mail = lastMail()?.id;
  assert.deepEqual(Object.keys((await create(onPaper())).json), Object.keys(reply.json));
  assert.deepEqual([lastJob()?.voucher_id, lastMail()?.id], [lastVoucher(), mail]);
});

test('a printer that the site does not have is refused with 400 and creates nothing', async () => {
  const elsewhere = await service.addSite('default', 'Nebenhaus');
  const foreign = await addPrinter(service.beside, { siteId: asSiteId(elsewhere) });
  const removed = await addPrinter(service.beside);
  await service.beside.printers.remove(removed, audit());
  const ofTheFuture = await addPrinter(service.beside);
  service.change(`update printers set kind = 'hologram' where id = ${ofTheFuture}`);
  const bound = await service.beside.issueKey(
    { name: 'Gebunden', scope: 'write', rateLimit: 0, sites: [asSiteId(1)] },
    audit(),
  );
  for (const id of [foreign, removed, ofTheFuture, 2_147_483_647])
    for (const key of [service.keyText, bound.keyText]) {
      const reply = await leaving(service, {}, () => create({ ...onPaper(id), ...GUEST }, key));
      assert.equal(reply.status, 400);
      assert.equal(
        reply.text,
        '{"error":"invalid_request","message":"Guest-Print: Die Site hat keinen solchen Drucker"}',
      );
      assert.equal(reply.headers.get('gastpass-retry'), 'no');
    }
  const before = lastJob()?.id;
  const there = { body: { ...ORDER, site_id: elsewhere }, headers: onPaper(foreign) };
  const hidden = await service.call('POST', 'vouchers.php', { ...there, key: bound.keyText });
  assert.equal(hidden.status, 404);
  const readOnly = await service.issueKey('read');
  assert.equal((await create(onPaper(), readOnly)).status, 403);
  assert.equal(lastJob()?.id, before);
  assert.equal((await create(onPaper(), bound.keyText)).status, 201);
  assert.equal((await service.call('POST', 'vouchers.php', there)).status, 201);
  assert.equal(lastJob()?.recipient_id, foreign);
});

test('another instance that settles the order sends mail and print job with the voucher, or deletes both', async () => {
  const wishes = { ...GUEST, ...onPaper() };
  const held = () => service.rows("select id from messages where state = 'held'").length;
  await refusingInserts(service, { table: 'vouchers', text: 'gone' }, () =>
    leaving(service, { intents: 1, upstream: 1 }, () => create(wishes)),
  );
  assert.equal(held(), 2);
  service.clock.advance(FORGOTTEN_AFTER_MS);
  const { upstream: _, ...settled } = ONE_VOUCHER;
  await leaving(service, { ...settled, intents: -1 }, () => settle(service));
  assert.equal(held(), 0);
  for (const message of [lastJob(), lastMail()])
    assert.partialDeepStrictEqual(message, { state: 'waiting', voucher_id: lastVoucher() });
  assert.equal(service.rows(`select id from messages where voucher_id = ${lastVoucher()}`).length, 2);

  const before = [lastJob()?.id, lastMail()?.id];
  const site = asSiteId(await service.addSite('fail:nothing', 'Ohne'));
  const headers = { ...GUEST, ...onPaper(await addPrinter(service.beside, { siteId: site })) };
  const body = { ...ORDER, site_id: site };
  assert.equal((await service.call('POST', 'vouchers.php', { headers, body })).status, 502);
  assert.equal(held(), 2);
  service.clock.advance(FORGOTTEN_AFTER_MS);
  await leaving(service, { intents: -1 }, () => settle(service));
  assert.deepEqual([held(), lastJob()?.id, lastMail()?.id], [0, ...before]);
});

test('the guest headers belong to the request of an Idempotency-Key', async () => {
  const key = { 'idempotency-key': 'gast-1' };
  const first = await leaving(service, ONE_WITH_KEY, () => create({ ...key, ...GUEST }));
  const mail = lastMail()?.id;
  for (const other of [{}, { 'guest-email': 'b@example.org' }, { ...GUEST, 'guest-language': 'de' }])
    assert.equal((await leaving(service, {}, () => create({ ...key, ...other }))).status, 422);
  await service.beside.mailServer.remove(audit());
  const again = await leaving(service, {}, () => create({ ...key, ...GUEST }));
  assert.deepEqual([again.status, again.text], [201, first.text], 'also if e-mail was switched off since');
  assert.equal(lastMail()?.id, mail);
  await saveServer();
});

test('the printer belongs to the request of an Idempotency-Key, which prints once', async () => {
  const key = { 'idempotency-key': 'druck-1' };
  const mine = await addPrinter(service.beside);
  const first = await leaving(service, ONE_WITH_KEY, () => create({ ...key, ...onPaper(mine) }));
  const job = lastJob()?.id;
  for (const other of [{}, onPaper(), { ...onPaper(mine), ...GUEST }])
    assert.equal((await leaving(service, {}, () => create({ ...key, ...other }))).status, 422);
  for (const gone of [false, true]) {
    if (gone) await service.beside.printers.remove(mine, audit());
    const again = await leaving(service, {}, () => create({ ...key, ...onPaper(mine) }));
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.equal(lastJob()?.id, job);
  }
});

test('without guest headers, the hash of a request is that of its body', async () => {
  await create({ 'idempotency-key': 'gast-2' });
  assert.equal(lastTicket()?.body_hash, hash('sha256', JSON.stringify(ORDER)));
});

test('while an instance of an older release is alive, Guest-Email and Guest-Print are refused with 503', async () => {
  const old = { id: 'old', name: 'web-2:8080', release: '0.2.0', schemaVersion: 1 };
  await service.beside.instances.note(old);
  for (const [headers, unknown] of [
    [GUEST, /keine E-Mails kennt/],
    [onPaper(), /keine Drucker kennt/],
  ] as const) {
    const reply = await leaving(service, {}, () => create(headers));
    assert.equal(reply.status, 503);
    assert.match(reply.json.message, unknown);
    assert.deepEqual([reply.headers.get('gastpass-retry'), reply.headers.get('retry-after')], ['yes', '5']);
  }
  assert.equal((await create({})).status, 201);
  await service.beside.instances.forget(old.id);
});
