// GET /v1/vouchers: filters, pages that stay stable while vouchers are created, and responses that are reused only
// while they are true.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { nowS, seedVoucher } from '../get-vouchers/seed-vouchers.ts';

let service: TestService;
let siteB: number;
before(async () => {
  service = await startTestService();
  siteB = await service.addSite('default', 'Haus B');
});
after(() => service.stop());

interface Listed {
  vouchers: { id: number; name: string; code: string; status: string; expires_at: string | null }[];
  next_cursor: string | null;
}

async function list(query: string, key?: string): Promise<Listed> {
  const { status, json, text } = await service.call('GET', `v1/vouchers?${query}`, key ? { key } : {});
  assert.equal(status, 200, text);
  return json;
}

const create = async (body: object) => {
  const reply = await service.call('POST', 'v1/vouchers', { body: { site: 1, name: 'x', ...body } });
  assert.equal(reply.status, 201, reply.text);
  return reply.json.vouchers[0];
};
const codesOf = ({ vouchers }: Listed) => vouchers.map(({ code }) => code).sort();

test('1,200 vouchers are listed without a gap or a duplicate while others are created', async () => {
  const site = await service.addSite('default', 'Groß');
  const codes = Array.from({ length: 1_200 }, (_, index) => String(7_000_000_000 + index));
  // Several vouchers of one second, so that the time alone does not order them.
  for (const [index, code] of codes.entries())
    seedVoucher(service, { siteId: site, code, createdAtS: nowS(service) - Math.floor(index / 7) });
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    await create({ site, name: 'meanwhile' });
    const page: Listed = await list(`site=${site}&limit=170${cursor && `&cursor=${cursor}`}`);
    found.push(...page.vouchers.filter(({ name }) => name !== 'meanwhile').map(({ code }) => code));
    cursor = page.next_cursor;
  }
  assert.equal(found.length, codes.length);
  assert.deepEqual(found.sort(), codes);
});

test('3,500 vouchers with one name are all found by it, newest first', async () => {
  const site = await service.addSite('default', 'Camp');
  service.change(
    `with recursive n (i) as (select 0 union all select i + 1 from n where i < 3499)
     insert into vouchers (site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, used_count,
                           created_at_s)
     select ${site}, cast(7100000000 + i as text), '2026-01-15_Camp', 1, 480, 0, 0, 0, 0, ${nowS(service)} - i from n`,
  );
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Listed = await list(`name=camp&limit=499${cursor && `&cursor=${cursor}`}`);
    found.push(...page.vouchers.map(({ code }) => code));
    cursor = page.next_cursor;
  }
  assert.deepEqual(
    found,
    Array.from({ length: 3_500 }, (_, index) => String(7_100_000_000 + index)),
  );
});

test('filters by status, reference, name, site and time', async () => {
  service.clock.advance(60_000);
  const since = new Date(service.clock.nowMs()).toISOString();
  const late = `created_after=${since}`;
  const one = await create({ name: 'Zimmer 12', reference: 'bk 1', note: 'late arrival', devices: 2 });
  const two = await create({ name: 'Suite', reference: 'bk 10', site: siteB });
  assert.deepEqual(codesOf(await list(late)), [one.code, two.code].sort());
  assert.deepEqual(codesOf(await list('reference=bk%201')), [one.code]);
  assert.deepEqual(codesOf(await list('reference=bk')), []);
  assert.deepEqual(codesOf(await list(`${late}&name=ZIMMER`)), [one.code]);
  assert.deepEqual(codesOf(await list(`${late}&name=${one.code}`)), [], 'the code is not the name');
  assert.deepEqual(codesOf(await list(`${late}&site=${siteB}`)), [two.code]);
  assert.deepEqual(codesOf(await list('site=999')), []);
  await service.call('POST', `v1/vouchers/${two.id}/revoke`);
  assert.deepEqual(codesOf(await list(`${late}&status=revoked`)), [two.code]);
  assert.deepEqual(codesOf(await list(`${late}&status=unused`)), [one.code]);
  service.clock.advance(1_000);
  assert.deepEqual(codesOf(await list(`created_after=${new Date(service.clock.nowMs()).toISOString()}`)), []);
});

test('a page names the next page only if there is one', async () => {
  const site = await service.addSite('default', 'Klein');
  for (const code of ['6000000001', '6000000002', '6000000003']) seedVoucher(service, { siteId: site, code });
  assert.equal((await list(`site=${site}&limit=3`)).next_cursor, null);
  const { next_cursor: cursor, vouchers } = await list(`site=${site}&limit=2`);
  assert.equal(vouchers.length, 2);
  assert.deepEqual(codesOf(await list(`site=${site}&limit=2&cursor=${cursor}`)), ['6000000001']);
});

test('all wrong parameters are named at once', async () => {
  const query =
    'site=x&status=valid&limit=0&created_after=2026-02-30T00:00:00Z&cursor=nonsense&page=2&name=%00';
  const { status, json } = await service.call('GET', `v1/vouchers?${query}&reference=a&reference=b`);
  assert.equal(status, 400);
  assert.deepEqual(json.errors.map(({ field }: { field: string }) => field).sort(), [
    'created_after',
    'cursor',
    'limit',
    'name',
    'page',
    'reference',
    'site',
    'status',
  ]);
});

test('a list is sent again while nothing has changed, and is new after a change and after an end', async () => {
  const site = await service.addSite('default', 'Frisch');
  for (const query of [`site=${site}`, 'name=frisch']) {
    const read = async () => {
      const { headers, text, json } = await service.call('GET', `v1/vouchers?${query}`);
      const etag = headers.get('etag') ?? '';
      const again = await service.call('GET', `v1/vouchers?${query}`, { headers: { 'if-none-match': etag } });
      assert.deepEqual([again.status, again.headers.get('etag')], [304, etag]);
      return { text, first: json.vouchers[0] };
    };
    const before = await read();
    assert.equal((await read()).text, before.text);
    const { id, code } = await create({ site, name: 'frisch', minutes: 10 });
    assert.equal((await read()).first?.id, id);
    service.change(
      'update vouchers set first_used_at_s = ?, used_count = 1 where code = ?',
      nowS(service),
      code,
    );
    service.change('update sites set list_version = list_version + 1 where id = ?', site);
    assert.equal((await read()).first?.status, 'used-up');
    service.clock.advance(10 * 60_000);
    assert.equal((await read()).first?.status, 'expired');
  }
});

test('a key sees only its sites', async () => {
  const {
    keyText: key,
    key: { id },
  } = await service.beside.issueKey(
    { name: 'Haus B', scope: 'write', rateLimit: 0, sites: [asSiteId(siteB)] },
    { actor: TESTER, atMs: service.clock.nowMs() },
  );
  const own = await create({ site: siteB, name: 'own' });
  const other = await create({ name: 'other' });
  const { vouchers } = await list('limit=500', key);
  assert.ok(vouchers.some((voucher) => voucher.id === own.id));
  assert.ok(!vouchers.some((voucher) => voucher.id === other.id));
  assert.deepEqual((await list('site=1', key)).vouchers, []);
  assert.deepEqual(
    (await service.call('GET', 'v1/sites', { key })).json.sites.map((site: { id: number }) => site.id),
    [siteB],
  );
  assert.deepEqual((await service.call('GET', 'v1/key', { key })).json.sites, [siteB]);
  await service.beside.keys.change(id, { sites: [] }, { actor: TESTER, atMs: service.clock.nowMs() });
  assert.deepEqual((await list('limit=500', key)).vouchers, []);
});
