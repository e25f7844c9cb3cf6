// Unknown paths, and query parameters that are encoded, repeated or malformed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rawRequest } from '../../support/raw-request.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
  await service.call('POST', 'vouchers.php', { body: { site_id: 1, name: 'Da' } });
});
after(() => service.stop());

/** Sends raw bytes, because an HTTP client would normalize the target. */
async function send(method: string, target: string) {
  const order = '{"site_id":1,"name":"x"}';
  const body = method === 'POST' ? order : '';
  const head = `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${service.keyText}\r\nContent-Length: ${body.length}`;
  const reply = await leaving(service, {}, () => rawRequest(service.url, `${head}\r\n\r\n${body}`));
  return { status: Number(reply.split(' ')[1]), json: JSON.parse(reply.split('\r\n\r\n')[1] ?? '') };
}

const unknownPaths = [
  '/api',
  '/api/',
  '/vouchers.php',
  '/api/vouchers',
  '/api/vouchers.php/',
  '/api/vouchers.php/1',
  '/api/vouchers.php%00',
  '/api/vouchers%2Ephp',
  '/api%2Fvouchers.php',
  '/api/Vouchers.php',
  '/API/vouchers.php',
  '//api/vouchers.php',
  '/api//vouchers.php',
  '/api/../api/vouchers.php',
  '/api/./vouchers.php',
  '/api/../../../../etc/passwd',
  '/api/vouchers.php;x=1',
  '/api/vouchers.php#x',
  '/api/__proto__',
  '/__proto__',
  '/constructor',
  '/api/users.php',
  '/%',
  '/%ff%fe',
];
for (const path of unknownPaths)
  test(`${path} gets a 404 with GET and with POST`, async () => {
    for (const method of ['GET', 'POST']) {
      const { status, json } = await send(method, path);
      assert.equal(status, 404);
      assert.deepEqual(json, { error: 'not_found', message: 'Pfad nicht gefunden' });
    }
  });

const queries: [query: string, listed: number | 'refused', says: string][] = [
  ['site_id=1', 1, 'plain'],
  ['site_id=%31', 1, 'a percent-encoded value'],
  ['%73ite_id=1', 1, 'a percent-encoded name'],
  ['site%5Fid=1', 1, 'a percent-encoded underscore'],
  ['site_id=+1', 1, 'a plus, which stands for a blank'],
  ['site_id=%2B1', 1, 'an encoded plus'],
  ['site_id=%201%20', 1, 'encoded blanks'],
  ['site_id=1.9', 1, 'a fraction'],
  ['site_id=10e-1', 1, 'an exponent'],
  ['&&site_id=1&&', 1, 'empty parameters around it'],
  ['x=1&site_id=1&y=%', 1, 'other parameters around it'],
  ['site_id=2&site_id=1', 1, 'repeated, the last one counts'],
  ['site_id=1&site_id=2', 0, 'repeated, the last one counts'],
  ['site_id=1&site_id=', 'refused', 'repeated, the last one empty'],
  ['site_id=1?site_id=1', 'refused', 'a second question mark'],
  ['', 'refused', 'nothing'],
  ['site_id', 'refused', 'no value'],
  ['site_id=', 'refused', 'an empty value'],
  ['site_id=0', 'refused', 'zero'],
  ['site_id=-1', 'refused', 'a negative number'],
  ['site_id=abc', 'refused', 'no number'],
  ['site_id=0x1', 'refused', 'a hexadecimal number'],
  ['site_id=1%00', 'refused', 'an encoded NUL'],
  ['site_id=%', 'refused', 'half an escape'],
  ['site_id=%zz', 'refused', 'no escape at all'],
  ['site_id=%ff', 'refused', 'no UTF-8'],
  ['site_id=%EF%BC%91', 'refused', 'a full-width digit'],
  ['site_id[]=1', 'refused', 'an array'],
  ['SITE_ID=1', 'refused', 'another parameter'],
  ['site_id=NaN', 'refused', 'NaN'],
  ['site_id=Infinity', 'refused', 'Infinity'],
  ['site_id=1e308', 0, 'a number larger than any site’s'],
  ['site_id=1e999', 0, 'a number without end'],
  [`site_id=${'9'.repeat(10_000)}`, 0, 'ten thousand digits'],
  [`${'a=1&'.repeat(3_000)}site_id=1`, 1, 'three thousand parameters'],
];
for (const [query, listed, says] of queries)
  test(`the query ${query.slice(0, 40)} (${says}) is ${listed === 'refused' ? 'refused' : 'accepted'}`, async () => {
    const { status, json } = await send('GET', `/api/vouchers.php?${query}`);
    if (listed === 'refused') {
      assert.equal(status, 400);
      assert.deepEqual(json, { error: 'invalid_request', message: 'site_id erforderlich' });
    } else {
      assert.equal(status, 200);
      assert.equal(json.vouchers.length, listed);
    }
  });

test('none of these requests causes a server error', () => {
  assert.deepEqual(
    service.logLines.filter(({ level, status }) => level === 'error' || Number(status) >= 500),
    [],
  );
});
