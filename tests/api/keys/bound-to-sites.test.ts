// A key that is bound to chosen sites: every other site looks as if it did not exist or were inactive, in every
// response and in every cache.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asKeyId, asSiteId } from '../../../src/kernel/ids.ts';
import type { KeySites } from '../../../src/kernel/keys/api-key.ts';
import { TESTER } from '../../support/actors.ts';
import { type Reply, startTestService, type TestService } from '../../support/test-service.ts';
import { leaving, ONE_VOUCHER } from '../support/post-vouchers-traces.ts';
import { idOf } from './forge-key.ts';

let service: TestService;
let own: number;
let other: number;
before(async () => {
  service = await startTestService({ webhook: true });
  own = await service.addSite('default', 'Eigenes Haus');
  other = await service.addSite('default', 'Fremdes Haus');
  for (const siteId of [own, other]) assert.equal((await create(service.keyText, siteId)).status, 201);
});
after(() => service.stop());

const audit = { actor: TESTER, atMs: 0 };

async function boundKey(...siteIds: number[]): Promise<string> {
  const sites = siteIds.map(asSiteId);
  const { keyText } = await service.beside.issueKey(
    { name: 'Gebunden', scope: 'write', rateLimit: 0, sites },
    audit,
  );
  return keyText;
}

const bind = (key: string, sites: KeySites) =>
  service.beside.keys.change(asKeyId(idOf(key)), { sites }, audit);
const setActive = (siteId: number, active: boolean) =>
  service.beside.sites.change(asSiteId(siteId), { active }, audit);
const list = (key: string, siteId: number, headers = {}) =>
  service.call('GET', `vouchers.php?site_id=${siteId}`, { key, headers });
const create = (key: string, siteId: number, headers = {}) =>
  service.call('POST', 'vouchers.php', { key, headers, body: { site_id: siteId, name: 'x' } });

async function siteIds(key: string): Promise<number[]> {
  const { status, json } = await service.call('GET', 'sites.php', { key });
  assert.equal(status, 200);
  return json.sites.map(({ id }: { id: number }) => id);
}

/** The parts of a response that do not differ from request to request. */
function essence({ status, headers, text }: Reply): unknown {
  const kept = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
  return { status, text, headers: Object.fromEntries(kept) };
}

test('GET /sites.php shows only the sites of the key, whatever other keys were shown before', async () => {
  const [one, two] = [await boundKey(own), await boundKey(other)];
  assert.deepEqual(await siteIds(service.keyText), [1, own, other]);
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(await siteIds(one), [own]);
    assert.deepEqual(await siteIds(two), [other]);
  }
  assert.deepEqual(await siteIds(await boundKey(own, other)), [own, other]);
});

test('the list of another site is empty, exactly like the list of a site that does not exist', async () => {
  const key = await boundKey(own);
  assert.equal((await list(service.keyText, other)).json.vouchers.length, 1);
  const unknown = essence(await list(service.keyText, 999_999));
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(essence(await list(key, other)), unknown);
    assert.deepEqual(essence(await list(key, 999_999)), unknown);
    assert.equal((await list(key, own)).json.vouchers.length, 1);
  }
});

test('a conditional request does not reveal whether the list of another site has changed', async () => {
  const key = await boundKey(own);
  const etag = (await list(service.keyText, other)).headers.get('etag') ?? assert.fail('no ETag');
  const reply = await list(key, other, { 'if-none-match': etag });
  assert.deepEqual([reply.status, reply.text], [200, '{"vouchers":[]}']);
  const unchanged = await list(key, other, { 'if-none-match': reply.headers.get('etag') ?? '' });
  assert.equal(unchanged.status, 304);
});

test('an order for another site is refused exactly like an order for an inactive site, and leaves nothing', async () => {
  const key = await boundKey(own);
  const inactive = await service.addSite('default', 'Winterpause');
  await setActive(inactive, false);
  const expected = essence(await create(service.keyText, inactive));
  const refused = await leaving(service, {}, () => create(key, other));
  assert.equal(refused.text, '{"error":"not_found","message":"Site nicht gefunden"}');
  assert.deepEqual(essence(refused), expected);
  const made = await leaving(service, ONE_VOUCHER, () => create(key, own));
  assert.equal(made.status, 201);
});

test('a key with a rate limit is bound as well', async () => {
  const { keyText: key } = await service.beside.issueKey(
    { name: 'Gebunden', scope: 'write', rateLimit: 100, sites: [asSiteId(own)] },
    audit,
  );
  assert.deepEqual(await siteIds(key), [own]);
  assert.equal((await list(key, other)).text, '{"vouchers":[]}');
  assert.equal((await create(key, other)).status, 404);
});

test('a change of the sites applies from the next request on, also to responses that were cached', async () => {
  const key = await boundKey(own);
  const seen = async () => [
    await siteIds(key),
    (await list(key, own)).json.vouchers.length > 0,
    (await list(key, other)).json.vouchers.length > 0,
    (await create(key, other)).status,
  ];
  assert.deepEqual(await seen(), [[own], true, false, 404]);
  await bind(key, 'all');
  assert.deepEqual(await seen(), [[1, own, other], true, true, 201]);
  await bind(key, [asSiteId(other)]);
  assert.deepEqual(await seen(), [[other], false, true, 201]);
});

test('removing the last site of a key leaves the key without sites', async () => {
  const key = await boundKey(own);
  await bind(key, []);
  assert.deepEqual(await siteIds(key), []);
  assert.equal((await list(key, own)).text, '{"vouchers":[]}');
  assert.equal((await create(key, own)).status, 404);
});

test('a key gets no other site when its site is deactivated or removed', async () => {
  const doomed = await service.addSite('default', 'Wird entfernt');
  const key = await boundKey(doomed);
  await setActive(doomed, false);
  assert.deepEqual(await siteIds(key), []);
  assert.equal((await create(key, doomed)).status, 404);
  const removal = await service.beside.sites.remove(asSiteId(doomed), () => true, audit);
  assert.equal(removal.kind, 'removed');
  const later = await service.addSite('default', 'Kommt danach');
  assert.deepEqual(await siteIds(key), []);
  for (const siteId of [own, doomed, later]) assert.equal((await create(key, siteId)).status, 404);
});

test('a repeated request is refused like a new one if the key has lost the site since, until the key gets it back', async () => {
  const key = await boundKey(own);
  const headers = { 'idempotency-key': 'einmal' };
  const first = await create(key, own, headers);
  assert.equal(first.status, 201);
  await bind(key, [asSiteId(other)]);
  const asNew = essence(await create(key, own, { 'idempotency-key': 'neu' }));
  const refused = await leaving(service, {}, () => create(key, own, headers));
  assert.equal(refused.text, '{"error":"not_found","message":"Site nicht gefunden"}');
  assert.deepEqual(essence(refused), asNew);

  await bind(key, [asSiteId(own)]);
  const again = await leaving(service, {}, () => create(key, own, headers));
  assert.deepEqual([again.status, again.text], [201, first.text]);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
});

test('a key without the site does not learn that its Idempotency-Key is taken or in progress', async () => {
  const empty = await service.addSite('fail:nothing', 'Liefert nichts');
  const key = await boundKey(own, empty);
  const taken = { 'idempotency-key': 'vergeben' };
  const open = { 'idempotency-key': 'offen' };
  assert.equal((await create(key, own, taken)).status, 201);
  assert.equal((await create(key, empty, open)).status, 502);
  assert.equal((await create(key, empty, taken)).status, 422);
  assert.equal((await create(key, empty, open)).status, 409);

  await bind(key, [asSiteId(own)]);
  const asNew = essence(await create(key, empty));
  assert.deepEqual(essence(await create(key, empty, taken)), asNew, 'another body');
  assert.deepEqual(essence(await create(key, empty, open)), asNew, 'in progress');
  assert.equal((await create(key, own, open)).status, 422, 'the Idempotency-Key is still taken');
});

test('a repeated request gets its first response although the site is inactive', async () => {
  const key = await boundKey(own);
  const headers = { 'idempotency-key': 'winter' };
  const first = await create(key, own, headers);
  await setActive(own, false);
  const again = await create(key, own, headers);
  assert.deepEqual([again.status, again.text], [201, first.text]);
  await setActive(own, true);
});
