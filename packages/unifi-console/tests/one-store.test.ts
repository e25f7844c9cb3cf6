// Both APIs share one set of vouchers, and large numbers of vouchers are supported.

import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { before, describe, test } from 'node:test';
import { makeVoucherStore, type NewVoucher } from '../src/voucher-store.ts';
import { type TestConsole, useConsoles } from './support/test-console.ts';

const startConsole = useConsoles();

let console: TestConsole;
let official: string;
before(async () => {
  console = await startConsole();
  official = `/sites/${console.siteUuid}/hotspot/vouchers`;
});
const classic = (path: string, body: object = {}) =>
  console.byKey('POST', `/proxy/network/api/s/default/${path}`, { body });

test('vouchers created through one API are listed by the other, in its own format', async () => {
  await classic('cmd/hotspot', {
    ...{ cmd: 'create-voucher', n: 1, quota: 3, expire: 480, note: 'from classic' },
    ...{ up: 2000, down: 10_000, bytes: 2048 },
  });
  const [seen] = (await console.integration('GET', official)).json.data;
  assert.equal(seen.name, 'from classic');
  assert.deepEqual([seen.rxRateLimitKbps, seen.txRateLimitKbps], [10_000, 2000], 'rx is the download rate');
  assert.deepEqual(
    [seen.authorizedGuestLimit, seen.timeLimitMinutes, seen.dataUsageLimitMBytes],
    [3, 480, 2048],
  );

  const body = { count: 1, name: 'from official', timeLimitMinutes: 60, rxRateLimitKbps: 777 };
  const [made] = (await console.integration('POST', official, { body })).json.vouchers;
  const list = (await classic('stat/voucher')).json.data;
  const twin = list.find(({ code }: { code: string }) => code === made.code);
  assert.deepEqual([twin.note, twin.quota, twin.qos_rate_max_down], ['from official', 0, 777]);
  assert.equal(twin.create_time * 1000, Date.parse(made.createdAt));
});

test('a voucher deleted through one API is gone in the other', async () => {
  const [voucher] = console.controls.fill({ note: 'to go' });
  await console.integration('DELETE', `${official}/${voucher?.uuid}`);
  const list = (await classic('stat/voucher')).json.data;
  assert.ok(!list.some(({ _id }: { _id: string }) => _id === voucher?.id));
  const [other] = console.controls.fill({ note: 'to go too' });
  await classic('cmd/hotspot', { cmd: 'delete-voucher', _id: other?.id });
  assert.equal((await console.integration('GET', `${official}/${other?.uuid}`)).status, 404);
});

test('twenty thousand vouchers are listed completely, by page, by batch and by name', async () => {
  const full = await startConsole();
  for (let batch = 0; batch < 20; batch++) {
    full.clock.advance(1000);
    full.controls.fill({ count: 1000, note: `batch ${batch}` });
  }
  const base = '/proxy/network/api/s/default/stat/voucher';
  const all = (await full.byKey('GET', base)).json.data;
  assert.equal(all.length, 20_000);
  assert.equal(new Set(all.map(({ code }: { code: string }) => code)).size, 20_000);
  const { create_time, note } = all[11_000];
  const batch = (await full.byKey('GET', `${base}?create_time=${create_time}`)).json.data;
  assert.equal(batch.length, 1000);
  const filter = new URLSearchParams({ filter: `name.eq('${note}')`, limit: '1000' });
  const path = `/sites/${full.siteUuid}/hotspot/vouchers`;
  assert.equal((await full.integration('GET', `${path}?${filter}`)).json.count, 1000);
  const { json } = await full.integration('GET', `${path}?offset=19900`);
  assert.deepEqual([json.count, json.totalCount], [100, 20_000]);
});

describe('the voucher store', () => {
  let nowMs = 0;
  const order: NewVoucher = {
    siteId: 'a',
    note: 'n',
    adminName: 'x',
    quota: 1,
    durationMinutes: 1,
    downKbps: null,
    upKbps: null,
    usageQuotaMb: null,
  };

  test('keeps its indexes consistent when vouchers appear late and are deleted', () => {
    const store = makeVoucherStore(() => nowMs);
    const [now] = store.create(order, 1);
    const [later] = store.during({ kind: 'later', ms: 5000, restamp: true }, () => store.create(order, 1));
    const [never] = store.during({ kind: 'never' }, () => store.create(order, 1));
    assert.ok(now && later && never);
    assert.deepEqual(store.named('a', 'n'), [now]);
    assert.deepEqual(store.counts(), { vouchers: 1, vouchersCreated: 1, vouchersPending: 1 });
    nowMs = 4999;
    assert.equal(store.findById('a', later.id), undefined);
    nowMs = 9000;
    assert.deepEqual(store.named('a', 'n'), [now, later]);
    assert.deepEqual(store.createdAt('a', 5), [later], 'created when it was due');
    assert.equal(store.findByUuid('a', never.uuid), undefined);
    store.delete(now);
    assert.deepEqual(store.all('a'), [later]);
    assert.deepEqual([store.createdAt('a', 0), store.findByCode(now.code)], [[], undefined]);
    assert.deepEqual(store.counts(), { vouchers: 1, vouchersCreated: 2, vouchersPending: 0 });
  });

  test('gives the vouchers of one order different codes, even if a random number repeats', (context) => {
    const drawn = [7, 7, 7, 8];
    context.mock.method(crypto, 'randomInt', () => drawn.shift());
    syncBuiltinESMExports();
    context.after(() => {
      context.mock.restoreAll();
      syncBuiltinESMExports();
    });
    const codes = makeVoucherStore(() => nowMs)
      .create(order, 2)
      .map(({ code }) => code);
    assert.deepEqual(codes, ['0000000007', '0000000008']);
  });

  test('finds no voucher of another site', () => {
    const store = makeVoucherStore(() => nowMs);
    const [voucher] = store.create(order, 1);
    assert.ok(voucher);
    assert.equal(store.findById('b', voucher.id), undefined);
    assert.deepEqual([store.all('b'), store.named('b', 'n')], [[], []]);
  });
});
