// POST /vouchers.php → 400: the Idempotency-Key is not 1 to 255 visible ASCII characters.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rawRequest } from '../../support/raw-request.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving, ONE_VOUCHER } from '../support/post-vouchers-traces.ts';

const BODY =
  '{"error":"invalid_request","message":"Idempotency-Key muss aus 1 bis 255 sichtbaren ASCII-Zeichen bestehen"}';
const ONE_WITH_KEY = { ...ONE_VOUCHER, tickets: 1 };

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

/** Sends the header lines as raw bytes, because an HTTP client would refuse to send some of them. */
function send(headerLines: Buffer, order = '{"site_id":1,"name":"Schlüssel"}'): Promise<string> {
  const head = `POST /api/vouchers.php HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${service.keyText}\r\nContent-Length: ${Buffer.byteLength(order)}\r\n`;
  return rawRequest(
    service.url,
    Buffer.concat([Buffer.from(head), headerLines, Buffer.from(`\r\n\r\n${order}`)]),
  );
}
const line = (value: string) => Buffer.from(`Idempotency-Key: ${value}`, 'utf8');

const malformed: [says: string, lines: Buffer][] = [
  ['an empty one', line('')],
  ['one of blanks', line('   ')],
  ['one of 256 characters', line('k'.repeat(256))],
  ['one of thousands of characters', line('k'.repeat(10_000))],
  ['one with a blank inside', line('a b')],
  ['one with a tab inside', line('a\tb')],
  ['one with an umlaut in UTF-8', line('schlüssel')],
  ['one with an umlaut in Latin-1', Buffer.from('Idempotency-Key: schl\u00fcssel', 'latin1')],
  ['two of them', Buffer.concat([line('eins'), Buffer.from('\r\n'), line('zwei')])],
];
for (const [says, lines] of malformed)
  test(`an invalid Idempotency-Key is refused with 400 and creates nothing: ${says}`, async () => {
    const reply = await leaving(service, {}, () => send(lines));
    assert.match(reply, /^HTTP\/1\.1 400 /);
    assert.ok(reply.endsWith(BODY), reply);
  });

test('an Idempotency-Key can contain up to 255 visible ASCII characters', async () => {
  const visible = String.fromCharCode(...Array.from({ length: 0x7e - 0x21 + 1 }, (_, index) => 0x21 + index));
  for (const value of ['k', visible, 'k'.repeat(255)])
    assert.match(await leaving(service, ONE_WITH_KEY, () => send(line(value))), /^HTTP\/1\.1 201 /);
});

test('an invalid body is reported before an invalid Idempotency-Key', async () => {
  assert.match(await send(line(''), '{}'), /site_id erforderlich/);
});
