// GET /vouchers.php → 304: a client that already has the current list does not get it again.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rawRequest } from '../../support/raw-request.ts';
import { type Reply, startTestService, type TestService } from '../../support/test-service.ts';
import { nowS, seedVoucher } from './seed-vouchers.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

function list(siteId: number, ifNoneMatch?: string): Promise<Reply> {
  const headers = ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch };
  return service.call('GET', `vouchers.php?site_id=${siteId}`, { headers });
}

const tagOf = (reply: Reply): string => reply.headers.get('etag') ?? assert.fail('no ETag');

test('a request with the ETag of the current list gets a 304 without a body', async () => {
  const siteId = await service.addSite();
  seedVoucher(service, { siteId, code: '1' });
  const etag = tagOf(await list(siteId));
  const reply = await list(siteId, etag);
  assert.equal(reply.status, 304);
  assert.equal(reply.text, '');
  assert.equal(reply.headers.get('etag'), etag);
  assert.equal(reply.headers.get('cache-control'), 'private, no-cache');
});

test('If-None-Match matches a weak ETag, an ETag in a list of tags, and *', async () => {
  const etag = tagOf(await list(1));
  for (const header of [`W/${etag}`, `"x", ${etag}`, `"x",W/"y" ,${etag} , "z"`, '*'])
    assert.equal((await list(1, header)).status, 304, header);
});

test('a request with any other tag gets the whole list', async () => {
  const etag = tagOf(await list(1));
  for (const header of ['"x"', '', etag.slice(1, -1), `${etag}x`, '"*"'])
    assert.equal((await list(1, header)).status, 200, header);
});

test('the ETag stays the same while the list is unchanged, and changes with a new voucher', async () => {
  const siteId = await service.addSite();
  const etag = tagOf(await list(siteId));
  await service.call('POST', 'vouchers.php', { body: { site_id: 1, name: 'another site' } });
  assert.equal((await list(siteId, etag)).status, 304);

  await service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'this site' } });
  const changed = await list(siteId, etag);
  assert.equal(changed.status, 200);
  assert.notEqual(tagOf(changed), etag);
  assert.equal((await list(siteId, tagOf(changed))).status, 304);
});

test('the ETag changes when a voucher expires', async () => {
  const siteId = await service.addSite();
  const uses = { usedCount: 1, maxUses: 2, expireMinutes: 1, firstUsedAtS: nowS(service) };
  seedVoucher(service, { ...uses, siteId, code: '1' });
  const etag = tagOf(await list(siteId));
  assert.equal((await list(siteId, etag)).status, 304);

  service.clock.advance(60_000);
  const expired = await list(siteId, etag);
  assert.equal(expired.status, 200);
  assert.equal(expired.json.vouchers[0].status, 'expired');
});

test('If-None-Match bypasses no check: a missing key gets a 401, a missing site_id a 400', async () => {
  const headers = { 'if-none-match': '*' };
  assert.equal((await service.call('GET', 'vouchers.php?site_id=1', { key: null, headers })).status, 401);
  assert.equal((await service.call('GET', 'vouchers.php', { headers })).status, 400);
});

test('a 304 has no Content-Length, or the length of the list', async () => {
  const fresh = await list(1);
  const head = `Host: x\r\nConnection: close\r\nX-API-Key: ${service.keyText}\r\nIf-None-Match: ${tagOf(fresh)}`;
  const response = await rawRequest(
    service.url,
    `GET /api/vouchers.php?site_id=1 HTTP/1.1\r\n${head}\r\n\r\n`,
  );
  assert.match(response, /^HTTP\/1\.1 304 /);
  const claimed = /^content-length: (\d+)/im.exec(response)?.[1];
  assert.ok(
    claimed === undefined || Number(claimed) === Buffer.byteLength(fresh.text),
    `Content-Length is ${claimed}`,
  );
});
