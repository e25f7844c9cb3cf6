// Tests which vouchers count as lost, that each is replaced once, and that a voucher without its replacement counts as
// lost again.

import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { NewBatch } from '../../src/kernel/batches/batch.ts';
import { insertBatch } from '../../src/kernel/batches/batch-queries.ts';
import { makeBatchStore } from '../../src/kernel/batches/batch-store.ts';
import { asBatchId, asReplacementId, asUserId, type SiteId, type UserId } from '../../src/kernel/ids.ts';
import { holdSite } from '../../src/kernel/sites/site-queries.ts';
import {
  isLost,
  type LostScope,
  type LostVoucherStore,
  MAX_LOST_COUNTED,
} from '../../src/kernel/vouchers/lost-vouchers.ts';
import { makeLostVoucherStore } from '../../src/kernel/vouchers/storage/lost-store.ts';
import { searchVouchers } from '../../src/kernel/vouchers/storage/search-queries.ts';
import { TESTER } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, NOW_MS, seal } from './samples.ts';

const NOW_S = Math.floor(NOW_MS / 1_000);
const DAY_S = 24 * 60 * 60;
const by = { actor: TESTER, atMs: NOW_MS };

onEveryEngine('lost vouchers', (database) => {
  let lost: LostVoucherStore;
  let userId: UserId;
  let siteId: SiteId;
  let nextId = 0;
  before(async () => {
    lost = makeLostVoucherStore(database());
    const user = { email: 'a@b.de', name: 'Ada', role: 'admin', password_hash: 'x', created_at_ms: 1 };
    const { id } = await database().write((transaction) =>
      transaction.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow(),
    );
    userId = asUserId(id);
  });
  beforeEach(async () => {
    siteId = await addSite(database());
  });

  /** Adds a voucher that was noticed as deleted an hour ago, unless `columns` say otherwise. */
  const add = (columns: object = {}) =>
    database().write((transaction) =>
      transaction
        .insertInto('vouchers')
        .values({
          ...{ site_id: siteId, code: String(++nextId), name: '2026-01-10_Tagung', max_uses: 2 },
          ...{ expire_minutes: 480, down_kbps: 0, up_kbps: 0, quota_mb: 0, used_count: 0 },
          ...{ controller_voucher_id: String(nextId), created_at_s: NOW_S - 5 * DAY_S, source: 'Web: Ada' },
          ...{ ended_at_s: NOW_S - 3_600, missing_since_s: NOW_S - 3_600 },
          ...columns,
        })
        .execute(),
    );
  const scope = (fields: Partial<LostScope> = {}): LostScope => ({ siteId, untilS: NOW_S, ...fields });
  const countHere = async () => (await lost.countPerSite(NOW_S)).get(siteId)?.count ?? 0;
  const begin = (id: string) =>
    lost.beginReplacement({ id: asReplacementId(id), scope: scope(), userId }, by);
  const entries = async () =>
    (await database().read.selectFrom('audit').select(['action', 'subject']).execute())
      .filter(({ subject }) => subject.startsWith(`site ${siteId} `))
      .map(({ action, subject }) => ({ action, subject }));
  const record = (batch: NewBatch, count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        add({ batch_id: batch.id, ended_at_s: null, missing_since_s: null, name: batch.order.name }),
      ),
    );

  test('only unused vouchers of ours that somebody deleted lately are lost, in queries and in the rule', async () => {
    await add();
    await add({ source: null, ended_at_s: NOW_S - 29 * DAY_S, missing_since_s: NOW_S - 29 * DAY_S });
    for (const columns of [
      { ended_at_s: null, missing_since_s: null },
      { ended_at_s: null },
      { revoked_at_s: NOW_S - 3_600 },
      { used_count: 1 },
      { used_count: 1, first_used_at_s: NOW_S - 7_200 },
      { first_used_at_s: NOW_S - 4 * DAY_S },
      { source: 'Controller' },
      { ended_at_s: NOW_S - 31 * DAY_S },
      { ended_at_s: NOW_S - 5 * DAY_S + 480 * 60 },
      { replaced_by: 'b' },
      { replaced_by: '' },
    ])
      await add(columns);
    assert.equal(await countHere(), 2);
    assert.equal(await lost.count(scope()), 2);
    assert.equal((await lost.countPerSite(NOW_S)).get(siteId)?.noticedAtS, NOW_S - 29 * DAY_S);
    const { vouchers } = await searchVouchers(database(), { siteIds: [siteId], limit: 50, nowS: NOW_S });
    assert.equal(vouchers.length, 13);
    assert.equal(vouchers.filter((voucher) => isLost(voucher, NOW_S)).length, 2);
  });

  test('each name gets a batch with the limits of its vouchers, once, and with one audit entry', async () => {
    for (let i = 0; i < 3; i++) await add();
    await add({ name: '2026-01-11_Tagung' });
    await add({ quota_mb: 500 });
    const batches = await begin('r1');
    assert.deepEqual(
      batches.map(({ wanted, order }) => [wanted, order.name, order.maxUses, order.quotaMb]),
      [
        [4, 'Tagung', 2, 0],
        [1, 'Tagung', 2, 500],
      ],
    );
    assert.equal(await countHere(), 0);
    await add();
    assert.deepEqual(await begin('r1'), [], 'a replacement begins once');
    assert.deepEqual(await entries(), [
      { action: 'voucher.replaced', subject: `site ${siteId} (Haus A): 5 vouchers, lost` },
    ]);
    assert.deepEqual(
      (await lost.listReplacing(asReplacementId('r1'))).map(({ wanted, made, isEnded }) => [
        wanted,
        made,
        isEnded,
      ]),
      [
        [4, 0, false],
        [1, 0, false],
      ],
    );
  });

  test('two replacements that begin at the same time replace each voucher once', async () => {
    for (let i = 0; i < 5; i++) await add();
    const begun = (await Promise.all(['one', 'two', 'three'].map(begin))).flat();
    assert.deepEqual(
      begun.map(({ wanted }) => wanted),
      [5],
    );
  });

  test('a form that is sent again while its first request is not committed begins no second replacement', async () => {
    await add();
    const replacementId = asReplacementId('sent twice');
    const [group] = await lost.listGroups(scope());
    assert.ok(group);
    const batch = { id: asBatchId('sent twice'), userId, order: group.order, wanted: 1, createdAtMs: NOW_MS };
    const again = Promise.withResolvers<NewBatch[]>();
    await database().write(async (transaction) => {
      await holdSite(transaction, siteId);
      begin(replacementId).then(again.resolve, again.reject);
      await Promise.race([again.promise, sleep(200)]);
      await insertBatch(transaction, { ...batch, replacementId }, { now: database().now() });
    });
    assert.deepEqual(await again.promise, []);
  });

  test('vouchers for which a batch has no replacement are lost again when it ends', async () => {
    for (let i = 0; i < 5; i++) await add();
    const [batch] = await begin('partly');
    assert.ok(batch);
    await record(batch, 2);
    await makeBatchStore(database(), seal).end(batch.id, { problem: 'interrupted', cause: null, ...by });
    assert.equal(await countHere(), 3);
    const [next] = await begin('rest');
    assert.ok(next);
    await record(next, 3);
    await makeBatchStore(database(), seal).end(next.id, { problem: null, cause: null, ...by });
    assert.equal(await countHere(), 0);
  });

  test('vouchers are lost again, too, if the previous release has ended their batch', async () => {
    for (let i = 0; i < 3; i++) await add();
    const [batch] = await begin('ended early');
    assert.ok(batch);
    await record(batch, 1);
    await database().write((transaction) =>
      transaction.updateTable('batches').set({ ended_at_ms: NOW_MS }).where('id', '=', batch.id).execute(),
    );
    for (const time of ['first', 'second']) {
      await makeBatchStore(database(), seal).end(batch.id, { problem: null, cause: null, ...by });
      assert.equal(await countHere(), 2, time);
    }
  });

  test('one replacement takes up to 500 vouchers, those that were noticed first', async () => {
    await Promise.all(Array.from({ length: 501 }, () => add()));
    await add({ ended_at_s: NOW_S - 7_200, name: '2026-01-10_Erster' });
    const batches = await begin('many');
    assert.deepEqual(
      batches.map(({ wanted, order }) => [wanted, order.name]),
      [
        [1, 'Erster'],
        [499, 'Tagung'],
      ],
    );
    assert.equal(await countHere(), 2);
  });

  test('more than 10,000 lost vouchers of a site are not counted one by one', async () => {
    await add({ ended_at_s: NOW_S - 7_200 });
    await add();
    await database().write((transaction) =>
      sql`insert into vouchers (code, controller_voucher_id, site_id, name, max_uses, expire_minutes, down_kbps,
          up_kbps, quota_mb, used_count, created_at_s, source, ended_at_s, missing_since_s)
        with recursive copies (i) as (select 1 union all select i + 1 from copies where i < 10010)
        select code || '-' || i, code || '-' || i, site_id, name, max_uses, expire_minutes, down_kbps,
          up_kbps, quota_mb, used_count, created_at_s, source, ended_at_s, missing_since_s
        from vouchers, copies where code = ${String(nextId)}`.execute(transaction),
    );
    const counted = { count: MAX_LOST_COUNTED + 1, noticedAtS: NOW_S - 7_200 };
    assert.deepEqual((await lost.countPerSite(NOW_S)).get(siteId), counted);
    assert.equal(await lost.count(scope()), 10_012);
  });

  test('losses that nobody wants replaced are noted in the audit log, but not losses noticed later', async () => {
    await add({ ended_at_s: NOW_S - 60 });
    await add();
    await add();
    await lost.dismiss(scope({ untilS: NOW_S - 3_600 }), by);
    assert.equal(await countHere(), 1);
    await lost.dismiss(scope({ untilS: NOW_S - 3_600 }), by);
    assert.deepEqual(await entries(), [
      { action: 'voucher.loss-noted', subject: `site ${siteId} (Haus A): 2 vouchers, lost` },
    ]);
  });
});
