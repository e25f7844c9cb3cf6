// Tests the search index on every engine: a search finds the same vouchers with and without it, retention removes
// deleted vouchers from it, and a block is added only when no transaction can add vouchers to it any more.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { SiteId } from '../../src/kernel/ids.ts';
import { makeRetentionStore } from '../../src/kernel/vouchers/storage/retention-store.ts';
import { forgetBlocksOf, makeSearchIndex } from '../../src/kernel/vouchers/storage/search-index-queries.ts';
import { BLOCK_SIZE } from '../../src/kernel/vouchers/storage/search-parts.ts';
import { searchVouchers } from '../../src/kernel/vouchers/storage/search-queries.ts';
import { toNameSortKey } from '../../src/kernel/vouchers/storage/sorting.ts';
import { makeSearchIndexTurn } from '../../src/kernel/vouchers/turns/search-index.ts';
import type { SearchIndex } from '../../src/kernel/vouchers/voucher-search.ts';
import type { Database, Handle } from '../../src/platform/database/database.ts';
import { onEveryEngine } from './engines.ts';
import { addSite } from './samples.ts';

const NOW_S = 1_768_476_531;
const NAMES = [
  'Ärztin Müller',
  'BÜRO 007',
  'Büro 7',
  'zimmer 112',
  'Zimmer 12',
  '100 % _Sonne_',
  '客室 一二三',
];
/** Enough in one block that the parts of a name are listed as common. */
const MANY = 300;

onEveryEngine('search index', (database) => {
  let site: SiteId;
  let other: SiteId;
  let index: SearchIndex;
  const all: { id: number; code: string; name: string; siteId: SiteId }[] = [];

  before(async () => {
    site = await addSite(database());
    other = await addSite(database());
    index = makeSearchIndex(database());
    for (let n = 0; n < 3 * NAMES.length; n++) {
      const id = Math.floor(n / NAMES.length) * BLOCK_SIZE + 10 + n;
      const name = `2026-01-15_${NAMES[n % NAMES.length]} ${n}`;
      all.push({ id, code: String(4_827_159_360 + n * 91_736_451), name, siteId: n % 2 ? site : other });
    }
    for (let n = 0; n < MANY; n++)
      all.push({ id: 1_000 + n, code: String(9_000_000_000 + n), name: 'Tagung', siteId: site });
    await database().write((transaction) =>
      transaction
        .insertInto('vouchers')
        .values(all.map((voucher) => ({ ...rowOf(voucher) })))
        .execute(),
    );
  });

  const idsWith = async (text: string) => {
    const search = { siteIds: [site, other], text, limit: 500, nowS: NOW_S, counts: true };
    const { vouchers, count } = await searchVouchers(database(), search);
    assert.deepEqual(count, { found: vouchers.length, isComplete: true }, text);
    return vouchers.map(({ id }) => Number(id)).sort((one, two) => one - two);
  };
  const texts = () => [
    ...['827', '04827', '48271-59', '715 936', '112', '007', '000', '2026', 'tagung', 'tag', 'zimmer 12'],
    ...['müller', 'MULLER', 'büro 7', 'buro 07', '% _s', '室 一', 'nobody', '12 4', '900000', ...NAMES],
  ];

  test('a search finds the same vouchers with and without the index', async () => {
    const without = new Map<string, number[]>();
    for (const text of texts()) without.set(text, await idsWith(text));
    assert.deepEqual(await index.listMissingBlocks(1), [0, 1]);
    for (const block of [0, 1]) await index.add(block);
    assert.deepEqual(await index.listMissingBlocks(1), []);
    for (const text of texts()) assert.deepEqual(await idsWith(text), without.get(text), text);
    const withPart = (part: string) => all.filter(({ code }) => code.includes(part)).map(({ id }) => id);
    assert.deepEqual(without.get('48271-59'), withPart('4827159'));
    assert.ok((without.get('827')?.length ?? 0) >= 1);
    assert.equal(without.get('tagung')?.length, MANY);
    assert.deepEqual(without.get('nobody'), []);
    // The date before a name is not shown, so it is not searched.
    assert.deepEqual(without.get('2026'), withPart('2026'));
  });

  test('the vouchers of an indexed block are not examined one by one', async () => {
    const late = { id: 500, code: '5550001234', name: 'Nachzügler', siteId: site };
    await database().write((transaction) => transaction.insertInto('vouchers').values(rowOf(late)).execute());
    assert.deepEqual(await idsWith('nachzügler'), []);
    await database().write((transaction) =>
      transaction.deleteFrom('vouchers').where('id', '=', 500).execute(),
    );
  });

  test('retention removes the block of a deleted voucher, and the next turn adds it again', async () => {
    const [first] = all;
    assert.ok(first);
    await database().write((transaction) =>
      transaction
        .updateTable('vouchers')
        .set({ created_at_s: 1, ended_at_s: 1 })
        .where('id', '=', first.id)
        .execute(),
    );
    assert.equal(
      await makeRetentionStore(database())
        .begin({ nowMs: 1, runningMs: 0 }, () => true)
        .forgetVouchers(2),
      1,
    );
    assert.deepEqual(await index.listMissingBlocks(1), [0]);
    assert.ok((await idsWith('müller')).length > 0);

    const turn = makeSearchIndexTurn({
      searchIndex: index,
      withLease: (_name, signal, job) => job(signal),
    });
    const { signal } = new AbortController();
    await turn(signal);
    assert.deepEqual(await index.listMissingBlocks(1), [0], 'a block must have been full a turn ago');
    await turn(signal);
    assert.deepEqual(await index.listMissingBlocks(2), [2], 'only full blocks are added');
    await index.add(3);
    assert.deepEqual(await index.listMissingBlocks(3), [2], 'a block whose vouchers are gone is not missing');
  });

  const remove = (transaction: Handle, id: number) =>
    transaction.deleteFrom('vouchers').where('id', '=', id).execute();

  test('a block is prepared and written in slices, and left out if a voucher was deleted since', async () => {
    let [turns, turnsBefore, turnsWithin] = [0, 0, 0];
    let timer = setImmediate(function count() {
      turns++;
      timer = setImmediate(count);
    });
    const write: Database['write'] = async (job) => {
      turnsBefore = turns;
      await database().write((transaction) => remove(transaction, 1_000));
      return database().write(job);
    };
    await database().write((transaction) => forgetBlocksOf(transaction, [1_000]));
    await makeSearchIndex({ ...database(), write }).add(0);
    assert.ok(turnsBefore > 10, `${turnsBefore} turns of the event loop`);
    assert.deepEqual(await index.listMissingBlocks(0), [0]);
    const watched: Database['write'] = async (job) => {
      turnsBefore = turns;
      const value = await database().write(job);
      turnsWithin = turns - turnsBefore;
      return value;
    };
    await makeSearchIndex({ ...database(), write: watched }).add(0);
    clearImmediate(timer);
    assert.ok(turnsWithin > 3, `${turnsWithin} turns of the event loop`);
    assert.deepEqual(await index.listMissingBlocks(0), []);
  });

  const rename = (transaction: Handle, name: string) =>
    transaction.updateTable('vouchers').set({ name }).where('id', '=', 1_001).execute();
  for (const [what, change] of [
    ['deleted', (transaction: Handle) => remove(transaction, 1_002)],
    ['erased', (transaction: Handle) => rename(transaction, '***')],
  ] as const)
    test(`a voucher that is just being ${what} does not get into the index`, () => isLeftOut(change));

  test('a name that was erased after its block was read does not get into the index', async () => {
    await database().write((transaction) => rename(transaction, 'Anna'));
    await database().write((transaction) => forgetBlocksOf(transaction, [1_001]));
    const write: Database['write'] = async (job) => {
      await database().write((transaction) => rename(transaction, '***'));
      return database().write(job);
    };
    await makeSearchIndex({ ...database(), write }).add(0);
    assert.deepEqual(await index.listMissingBlocks(0), [0]);
  });

  async function isLeftOut(change: (transaction: Handle) => Promise<unknown>): Promise<void> {
    await database().write((transaction) => rename(transaction, 'Anna'));
    await database().write((transaction) => forgetBlocksOf(transaction, [1_001]));
    const changed = Promise.withResolvers<void>();
    const hasRead = Promise.withResolvers<void>();
    const write: Database['write'] = (job) => {
      hasRead.resolve();
      return database().write(job);
    };
    const added = changed.promise.then(() => makeSearchIndex({ ...database(), write }).add(0));
    await database().write(async (transaction) => {
      await change(transaction);
      await forgetBlocksOf(transaction, [1_001]);
      changed.resolve();
      await hasRead.promise;
      // SQLite, which has a change stamp, begins the other transaction only after this one.
      if (database().changeStamp() === undefined) await added;
    });
    await added;
    assert.deepEqual(await index.listMissingBlocks(0), [0]);
  }
});

function rowOf({ id, code, name, siteId }: { id: number; code: string; name: string; siteId: SiteId }) {
  return {
    id,
    site_id: siteId,
    code,
    name,
    name_order: toNameSortKey(name),
    max_uses: 1,
    expire_minutes: 60,
    down_kbps: 0,
    up_kbps: 0,
    quota_mb: 0,
    controller_voucher_id: `id-${id}`,
    used_count: 0,
    created_at_s: NOW_S - id,
  };
}
