// Tests the queries for recorded vouchers on every engine: the newest come first, and each upstream voucher is recorded
// once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSiteId, type SiteId } from '../../src/kernel/ids.ts';
import {
  insertVoucherUnlessTaken,
  type NewVoucher,
  selectNewestVouchers,
} from '../../src/kernel/vouchers/storage/voucher-queries.ts';
import { actorOf } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, sampleUpstream } from './samples.ts';

const CREATED_AT_S = 1_768_476_531;

function voucher(siteId: SiteId, id: string | null, fields: Partial<NewVoucher> = {}): NewVoucher {
  const made = { actor: actorOf('API: Theke'), code: '0482715936', createdAtS: CREATED_AT_S };
  return { siteId, upstream: sampleUpstream(id), ...made, ...fields };
}

onEveryEngine('vouchers', (database) => {
  const record = async (made: NewVoucher) =>
    (await database().write((transaction) => insertVoucherUnlessTaken(transaction, made))) !== undefined;
  const codes = async (siteId: SiteId, limit = 200) =>
    (await selectNewestVouchers(database().read, siteId, limit)).map(({ code }) => code);

  test('a voucher is read back as it was recorded', async () => {
    const site = await addSite(database());
    const upstream = sampleUpstream('id-1', { usedCount: 2, firstUsedAtMs: 1_768_476_600_999 });
    assert.equal(await record(voucher(site, 'id-1', { upstream })), true);
    const [found, ...more] = await selectNewestVouchers(database().read, site, 200);
    assert.deepEqual(more, []);
    assert.deepEqual(
      { ...found },
      {
        code: '0482715936',
        name: '2026-01-15_Zimmer 12',
        maxUses: 3,
        expireMinutes: 480,
        usedCount: 2,
        createdAtS: CREATED_AT_S,
        firstUsedAtS: 1_768_476_600,
        endedAtS: null,
        endsAtS: null,
      },
    );
  });

  test('limits, the controller’s id and the actor are stored, and the voucher has no owner', async () => {
    const site = await addSite(database());
    await record(voucher(site, 'id-limits'));
    const row = await database()
      .read.selectFrom('vouchers')
      .selectAll()
      .where('controller_voucher_id', '=', 'id-limits')
      .executeTakeFirst();
    assert.partialDeepStrictEqual(row, { down_kbps: 10_000, up_kbps: 2_000, quota_mb: 2_048 });
    assert.partialDeepStrictEqual(row, { owner_user_id: null, source: 'API: Theke' });
  });

  test('the same upstream voucher is recorded once per site', async () => {
    const site = await addSite(database());
    const other = await addSite(database());
    assert.equal(await record(voucher(site, 'twice')), true);
    assert.equal(await record(voucher(site, 'twice', { code: '1111111111' })), false);
    assert.equal(await record(voucher(other, 'twice')), true);
    assert.deepEqual(await codes(site), ['0482715936']);
  });

  test('of many concurrent claims of the same voucher exactly one succeeds', async () => {
    const site = await addSite(database());
    const claims = await Promise.all(Array.from({ length: 20 }, () => record(voucher(site, 'wanted'))));
    assert.equal(claims.filter(Boolean).length, 1);
    assert.equal((await codes(site)).length, 1);
  });

  test('vouchers without a controller id are all recorded', async () => {
    const site = await addSite(database());
    assert.equal(await record(voucher(site, null, { code: '1111111111' })), true);
    assert.equal(await record(voucher(site, null, { code: '2222222222' })), true);
    assert.deepEqual(await codes(site), ['2222222222', '1111111111']);
  });

  test('a voucher of a site that does not exist is refused', async () => {
    const site = await addSite(database());
    const nowhere = { ...voucher(site, 'homeless'), siteId: asSiteId(site + 1_000) };
    await assert.rejects(record(nowhere), /foreign key/i);
  });

  test('the list is sorted by time and then by id, newest first, and limited', async () => {
    const site = await addSite(database());
    const other = await addSite(database());
    await record(voucher(other, 'elsewhere', { code: 'elsewhere' }));
    const times: [string, number][] = [
      ['middle-1', CREATED_AT_S],
      ['oldest', CREATED_AT_S - 1],
      ['newest', CREATED_AT_S + 1],
      ['middle-2', CREATED_AT_S],
    ];
    for (const [code, createdAtS] of times) await record(voucher(site, code, { code, createdAtS }));
    assert.deepEqual(await codes(site), ['newest', 'middle-2', 'middle-1', 'oldest']);
    assert.deepEqual(await codes(site, 2), ['newest', 'middle-2']);
  });
});
