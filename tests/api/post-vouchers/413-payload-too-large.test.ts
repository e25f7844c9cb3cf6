// POST /vouchers.php → 413: the body is larger than 64 KiB, with a Content-Length or in chunks.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rawRequest } from '../../support/raw-request.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { readToEnd, statusesIn } from '../support/bad-input-read-to-end.ts';
import { leaving, ONE_VOUCHER } from '../support/post-vouchers-traces.ts';

const LIMIT = 64 * 1024;
const BODY = '{"error":"payload_too_large","message":"Anfrage zu groß (höchstens 64 KiB)"}';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

/** A valid order, padded with spaces. */
const orderOf = (bytes: number) => '{"site_id":1,"name":"Gross"}'.padEnd(bytes, ' ');
const head = (line: string) =>
  `POST /api/vouchers.php HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.keyText}\r\n${line}\r\n\r\n`;
const chunked = (body: string) => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;

test('a body of exactly 64 KiB is accepted', async () => {
  const body = orderOf(LIMIT);
  assert.equal(Buffer.byteLength(body), LIMIT);
  const reply = await leaving(service, ONE_VOUCHER, () => service.call('POST', 'vouchers.php', { body }));
  assert.equal(reply.status, 201);
});

test('a valid order that is one byte larger than 64 KiB is refused with 413', async () => {
  const reply = await leaving(service, {}, () =>
    service.call('POST', 'vouchers.php', { body: orderOf(LIMIT + 1) }),
  );
  assert.equal(reply.status, 413);
  assert.equal(reply.text, BODY);
});

test('the size of a chunked body is measured while it arrives', async () => {
  const bytes = head('Transfer-Encoding: chunked');
  const fits = await leaving(service, ONE_VOUCHER, () =>
    rawRequest(service.url, bytes + chunked(orderOf(LIMIT))),
  );
  assert.match(fits, /^HTTP\/1\.1 201 /);
  const tooLarge = await leaving(service, {}, () =>
    rawRequest(service.url, bytes + chunked(orderOf(LIMIT + 1))),
  );
  assert.match(tooLarge, /^HTTP\/1\.1 413 /);
  assert.ok(tooLarge.endsWith(BODY));
});

test('a body whose Content-Length is too large is refused with 413 before it arrives', async () => {
  const reply = await leaving(service, {}, () =>
    rawRequest(service.url, head(`Content-Length: ${10 * 1024 ** 3}`)),
  );
  assert.match(reply, /^HTTP\/1\.1 413 /);
});

test('the next request on the same connection is processed normally', async () => {
  const tooLarge = `${head(`Content-Length: ${LIMIT + 1}`)}${orderOf(LIMIT + 1)}`;
  const next = `GET /api/sites.php HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-API-Key: ${service.keyText}\r\n\r\n`;
  const announced = await leaving(service, {}, () => readToEnd(service.url, tooLarge + next));
  assert.deepEqual(statusesIn(announced), [413, 200]);

  const inChunks = head('Transfer-Encoding: chunked') + chunked(orderOf(LIMIT * 4));
  const measured = await leaving(service, {}, () => readToEnd(service.url, inChunks + next));
  assert.deepEqual(statusesIn(measured), [413, 200]);
});

test('a request that is not allowed to create vouchers gets a 401 or 403, not a 413', async () => {
  const body = 'x'.repeat(LIMIT + 1);
  const readKey = await service.issueKey('read');
  assert.equal((await service.call('POST', 'vouchers.php', { key: null, body })).status, 401);
  assert.equal((await service.call('POST', 'vouchers.php', { key: readKey, body })).status, 403);
});
