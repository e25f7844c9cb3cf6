// POST /vouchers.php with the headers Guest-Email and Guest-Language: 201, and what is refused with 400, 422 and 503.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { TESTER } from '../../support/actors.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving, ONE_VOUCHER } from '../support/post-vouchers-traces.ts';

const ORDER = { site_id: 1, name: 'Zimmer 4' };
const GUEST = { 'guest-email': 'gast@example.org' };
const ONE_WITH_KEY = { ...ONE_VOUCHER, tickets: 1 };

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
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
const create = (headers: Record<string, string>) =>
  service.call('POST', 'vouchers.php', { headers, body: ORDER });
const lastMail = () =>
  service.rows("select * from messages where channel = 'mail' order by id desc limit 1")[0];
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

test('without guest headers, the hash of a request is that of its body', async () => {
  await create({ 'idempotency-key': 'gast-2' });
  assert.equal(lastTicket()?.body_hash, hash('sha256', JSON.stringify(ORDER)));
});

test('while an instance of an older release is alive, Guest-Email is refused with 503', async () => {
  const old = { id: 'old', name: 'web-2:8080', release: '0.2.0', schemaVersion: 1 };
  await service.beside.instances.note(old);
  const reply = await leaving(service, {}, () => create(GUEST));
  assert.equal(reply.status, 503);
  assert.deepEqual([reply.headers.get('gastpass-retry'), reply.headers.get('retry-after')], ['yes', '5']);
  assert.equal((await create({})).status, 201);
  await service.beside.instances.forget(old.id);
});
