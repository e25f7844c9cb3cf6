// Tests the voucher search of the web interface on every engine: each order over all sites, pages without gaps or
// repeats, searches that stop early, parts of codes, counts, times of creation, and the creator of each voucher.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { SiteId } from '../../src/kernel/ids.ts';
import { searchVouchers } from '../../src/kernel/vouchers/storage/search-queries.ts';
import { toNameSortKey } from '../../src/kernel/vouchers/storage/sorting.ts';
import {
  selectStatesPerSite,
  selectVouchersPerDay,
} from '../../src/kernel/vouchers/storage/statistics-queries.ts';
import { insertVoucherUnlessTaken } from '../../src/kernel/vouchers/storage/voucher-queries.ts';
import type {
  FoundVoucher,
  SearchMark,
  VoucherSearch,
  VoucherSort,
} from '../../src/kernel/vouchers/voucher-search.ts';
import { countsAs, hasEnded, stateOf, VOUCHER_STATES } from '../../src/kernel/vouchers/voucher-state.ts';
import { actorOf } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, sampleUpstream } from './samples.ts';

const START_S = 1_768_476_531;
/** In their order by name. JavaScript's own comparison would swap the last two. */
const BY_NAME = ['arzt', 'Ärztin', 'Zimmer 2', 'zimmer 12', 'Zimmer 100', 'Ж', '\ufffd', '\u{1f3ab}'];
const MANY = 6_000;

onEveryEngine('voucher search', (database) => {
  let sites: SiteId[];
  let large: SiteId;
  let beside: SiteId;
  before(async () => {
    sites = [await addSite(database()), await addSite(database()), await addSite(database())];
    large = await addSite(database());
    beside = await addSite(database());
    await database().write(async (transaction) => {
      for (const [index, name] of [...BY_NAME, ...BY_NAME, ...BY_NAME].reverse().entries()) {
        const siteId = sites[index % sites.length];
        assert.ok(siteId);
        const upstream = sampleUpstream(`id-${index}`, { name: `2026-01-${10 + index}_${name}` });
        // Several vouchers have the same second of creation, so that the id decides.
        const createdAtS = START_S + Math.floor((index * 5) % 7);
        const voucher = {
          siteId,
          actor: actorOf(`API: ${index}`),
          code: String(1_000_000_000 + index),
          upstream,
          createdAtS,
        };
        await insertVoucherUnlessTaken(transaction, voucher);
      }
      // After the point where the first search in the large site stops.
      await transaction.insertInto('vouchers').values(rowOf(beside, MANY)).execute();
      for (let from = 0; from < MANY; from += 500)
        await transaction
          .insertInto('vouchers')
          .values(Array.from({ length: 500 }, (_, index) => rowOf(large, from + index)))
          .execute();
    });
  });

  const input = (fields: Partial<VoucherSearch> = {}): VoucherSearch => ({
    siteIds: sites,
    limit: 5,
    nowS: START_S,
    ...fields,
  });
  async function allPages(fields: Partial<VoucherSearch>): Promise<FoundVoucher[]> {
    const all: FoundVoucher[] = [];
    for (let after: SearchMark | undefined; ; ) {
      const found = await searchVouchers(database(), { ...input(fields), ...(after && { after }) });
      all.push(...found.vouchers);
      after =
        found.lookedUntil ??
        (found.vouchers.length === input(fields).limit ? found.vouchers.at(-1) : undefined);
      if (!after) return all;
    }
  }
  const shown = ({ name }: FoundVoucher) => name.slice(11);

  test('the order by name ignores date, case and accents and sorts 2 before 12, over all sites', async () => {
    const found = await allPages({ sort: 'name' });
    assert.deepEqual(
      found.map(shown),
      BY_NAME.flatMap((name) => [name, name, name]),
    );
    const back = await allPages({ sort: 'name-back' });
    assert.deepEqual(
      back.map(({ id }) => id),
      found.map(({ id }) => id).reverse(),
    );
  });

  test('vouchers are sorted by time in both directions, and by id within a second', async () => {
    const newest = await allPages({});
    const times = newest.map(({ createdAtS, id }) => createdAtS * 1_000 + id);
    assert.deepEqual(
      times,
      times.toSorted((one, other) => other - one),
    );
    const oldest = await allPages({ sort: 'oldest' });
    assert.deepEqual(
      oldest.map(({ id }) => id),
      newest.map(({ id }) => id).reverse(),
    );
  });

  test('pages of every order and size have no gaps and no repeats', async () => {
    for (const sort of ['newest', 'oldest', 'name', 'name-back'] satisfies VoucherSort[])
      for (const limit of [1, 2, 7, 23]) {
        const ids = (await allPages({ sort, limit })).map(({ id }) => id);
        assert.equal(new Set(ids).size, ids.length, `${sort} by ${limit}`);
        assert.equal(ids.length, 3 * BY_NAME.length, `${sort} by ${limit}`);
      }
  });

  test('a filtered search that stops early continues from there in its order and misses no voucher', async () => {
    for (const sort of ['newest', 'oldest', 'name', 'name-back'] satisfies VoucherSort[]) {
      const found = await allPages({ siteIds: [...sites, large, beside], sort, text: 'lt', limit: 50 });
      const expected = Array.from({ length: MANY / 1_000 + 1 }, (_, index) => `Gast ${index * 1_000} selten`);
      const isBack = sort === 'newest' || sort === 'name-back';
      assert.deepEqual(found.map(shown), isBack ? expected.toReversed() : expected, sort);
    }
    const first = await searchVouchers(
      database(),
      input({ siteIds: [large], sort: 'name', text: 'lt', limit: 50, counts: true }),
    );
    assert.ok(first.lookedUntil, 'one search examines a limited number of vouchers');
    assert.deepEqual(first.count, { found: first.vouchers.length, isComplete: false });
  });

  test('a text is found in all vouchers that have it, even if they are more than one look-up returns', async () => {
    for (const sort of ['newest', 'name'] satisfies VoucherSort[]) {
      const listed = { siteIds: [large, beside], sort, limit: 1_000 };
      const ids = (await allPages(listed)).map(({ id }) => id);
      assert.equal(ids.length, MANY + 1);
      const found = await allPages({ ...listed, text: 'gast' });
      assert.deepEqual(
        found.map(({ id }) => id),
        ids,
        sort,
      );
    }
  });

  test('with more sites than are queried one by one, sorting by time works in both directions', async () => {
    const siteIds = [...sites, ...Array.from({ length: 20 }, () => large)];
    const [oldest] = (await searchVouchers(database(), input({ siteIds, sort: 'oldest', limit: 1 })))
      .vouchers;
    assert.equal(oldest && shown(oldest), 'Gast 0 selten');
  });

  test('a name is found regardless of case and accents, and by a part of it', async () => {
    const count = async (text: string) => (await allPages({ text, limit: 50 })).length;
    for (const text of ['Ärztin', 'ärztin', 'ARZTIN', 'ärzti', 'ж', 'zimmer 2', 'mer 12'])
      assert.equal(await count(text), 3, text);
    assert.equal(await count('Zimmer 1'), 6);
    for (const text of ['%', 'z_mmer', '\\', '\u0301']) assert.equal(await count(text), 0, text);
  });

  test('a voucher is found by any part of its code from three characters on, with or without a dash', async () => {
    const codes = async (text: string) =>
      (await allPages({ siteIds: [...sites, large], text, limit: 500 })).map(({ code }) => code);
    for (const text of ['2000004321', '20000-04321', '04321', '0-4321', '00 4321'])
      assert.deepEqual(await codes(text), ['2000004321'], text);
    assert.deepEqual((await codes('432')).toSorted(), [
      ...['2000000432', '2000001432', '2000002432', '2000003432'],
      ...Array.from({ length: 10 }, (_, digit) => `200000432${digit}`),
      ...['2000004432', '2000005432'],
    ]);
    assert.deepEqual(await codes('4321-'), ['2000004321']);
    assert.deepEqual(await codes('43-21x'), []);
  });

  test('results are counted up to a limit, for every kind of search', async () => {
    const count = async (fields: Partial<VoucherSearch>) =>
      (await searchVouchers(database(), input({ ...fields, counts: true }))).count;
    const complete = (found: number) => ({ found, isComplete: true });
    assert.deepEqual(await count({}), complete(3 * BY_NAME.length));
    assert.deepEqual(await count({ siteIds: [] }), complete(0));
    assert.deepEqual(await count({ siteIds: [large] }), complete(1_001));
    assert.deepEqual(await count({ siteIds: [large], text: 'selten' }), complete(MANY / 1_000));
    assert.deepEqual(await count({ siteIds: [large], text: 'Gast 1' }), complete(1_001));
    assert.deepEqual(await count({ state: 'unused' }), complete(3 * BY_NAME.length));
    assert.deepEqual(await count({ state: 'revoked' }), complete(0));
  });

  test('vouchers are found by the time of their creation in every order, together with other filters', async () => {
    const [fromS, beforeS] = [START_S - MANY + 1_000, START_S - MANY + 1_020];
    const names = Array.from({ length: 20 }, (_, index) => `Gast ${1_000 + index}`);
    names[0] += ' selten';
    for (const sort of ['newest', 'oldest', 'name', 'name-back'] satisfies VoucherSort[]) {
      const range = { siteIds: [large, beside], created: { fromS, beforeS }, sort, limit: 7 };
      const isBack = sort === 'newest' || sort === 'name-back';
      const found = await allPages(range);
      assert.deepEqual(found.map(shown), isBack ? names.toReversed() : names, sort);
      const first = await searchVouchers(database(), input({ ...range, counts: true }));
      assert.deepEqual(first.count, { found: 20, isComplete: true }, sort);
      assert.deepEqual((await allPages({ ...range, text: 'selten' })).map(shown), ['Gast 1000 selten'], sort);
      assert.equal((await allPages({ ...range, state: 'unused' })).length, 20, sort);
      assert.equal((await allPages({ ...range, state: 'expired' })).length, 0, sort);
    }
    const since = await allPages({ siteIds: [large], created: { fromS: START_S - 5 }, limit: 50 });
    assert.equal(since.length, 5);
  });

  test('the search by state and the statistics follow the same rules as the pages', async () => {
    const site = await addSite(database());
    const times = [null, START_S - 9_000, START_S - 3_600, START_S - 60];
    const combinations = times.flatMap((first_used_at_s) =>
      times.flatMap((ended_at_s) =>
        [0, 1, 2].flatMap((used_count) =>
          [0, 2].flatMap((max_uses) =>
            [null, ended_at_s].flatMap((revoked_at_s) =>
              [null, START_S, START_S + 1].map((ends_at_s) => ({
                ...{ first_used_at_s, ended_at_s, used_count, max_uses, revoked_at_s, ends_at_s },
              })),
            ),
          ),
        ),
      ),
    );
    const rows = combinations.map((fields, index) => ({
      ...rowOf(site, index),
      expire_minutes: 60,
      ...fields,
    }));
    await database().write((transaction) => transaction.insertInto('vouchers').values(rows).execute());
    const search = { siteIds: [site], limit: 1_000, nowS: START_S };
    const { vouchers: all } = await searchVouchers(database(), search);
    assert.equal(all.length, rows.length);
    const counts = (await selectStatesPerSite(database().read, 0, START_S)).get(site);
    for (const state of VOUCHER_STATES) {
      const { vouchers: found } = await searchVouchers(database(), { ...search, state });
      const expected = all.filter((voucher) => stateOf(voucher, START_S) === state);
      assert.ok(expected.length > 0, state);
      assert.deepEqual(found, expected, state);
      assert.equal(counts?.[state], expected.length, state);
    }
    const { vouchers: running } = await searchVouchers(database(), { ...search, state: 'running' });
    assert.deepEqual(
      running,
      all.filter((voucher) => countsAs('in-use', stateOf(voucher, START_S))),
    );
    const { vouchers: open } = await searchVouchers(database(), { ...search, state: 'open' });
    assert.deepEqual(
      open,
      all.filter((voucher) => !hasEnded(stateOf(voucher, START_S))),
    );
  });

  test('a voucher counts on the day of its creation, from the first second to the last', async () => {
    const site = await addSite(database());
    const dayS = 24 * 60 * 60;
    const times = [1, dayS - 1, dayS, 2 * dayS - 1, 2 * dayS].map((createdAtS) => ({
      ...rowOf(site, createdAtS),
      created_at_s: createdAtS,
    }));
    await database().write((transaction) => transaction.insertInto('vouchers').values(times).execute());
    const days = ['first', 'second', 'third', 'fourth'].map((date, index) => ({
      date,
      fromS: index * dayS,
      beforeS: (index + 1) * dayS,
    }));
    assert.deepEqual(await selectVouchersPerDay(database().read, days), [
      { date: 'first', count: 2 },
      { date: 'second', count: 2 },
      { date: 'third', count: 1 },
      { date: 'fourth', count: 0 },
    ]);
  });

  test('every voucher names its creator', async () => {
    const found = await allPages({});
    assert.deepEqual(
      found.map(({ createdBy }) => createdBy?.name).toSorted(),
      found.map((_, index) => String(index)).toSorted(),
    );
  });

  test('a name of any length with any characters can be sorted', async () => {
    const [siteId] = sites;
    assert.ok(siteId);
    const name = '\u{1f3ab}\u202e\u200b'.repeat(20_000);
    assert.ok([...toNameSortKey(name)].length <= 100);
    const upstream = sampleUpstream('long', { name });
    const voucher = { siteId, actor: actorOf('API: x'), code: '3000000000', upstream, createdAtS: START_S };
    assert.ok(await database().write((transaction) => insertVoucherUnlessTaken(transaction, voucher)));
    assert.ok((await allPages({ sort: 'name' })).some(({ code }) => code === '3000000000'));
  });
});

function rowOf(siteId: SiteId, index: number) {
  const name = `2026-01-01_Gast ${index}${index % 1_000 === 0 ? ' selten' : ''}`;
  return {
    site_id: siteId,
    code: String(2_000_000_000 + index),
    name,
    name_order: toNameSortKey(name),
    max_uses: 1,
    expire_minutes: 60,
    down_kbps: 0,
    up_kbps: 0,
    quota_mb: 0,
    controller_voucher_id: `large-${index}`,
    used_count: 0,
    created_at_s: START_S - MANY + index,
  };
}
