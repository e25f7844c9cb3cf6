// Tests the labels of vouchers (reference, note, profile) on every engine: from the intent to the voucher, in the
// search, in a replacement, and in the search for personal data.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { asProfileId, asVoucherId, type SiteId } from '../../src/kernel/ids.ts';
import { makePersonalDataStore } from '../../src/kernel/privacy/personal-data-store.ts';
import { makePersonalText } from '../../src/kernel/privacy/personal-text.ts';
import { makeLostVoucherStore } from '../../src/kernel/vouchers/storage/lost-store.ts';
import { makeSearchIndex } from '../../src/kernel/vouchers/storage/search-index-queries.ts';
import { findVoucherByCode, searchVouchers } from '../../src/kernel/vouchers/storage/search-queries.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import type { Intent, NewIntent } from '../../src/kernel/vouchers/voucher-records.ts';
import type { FoundVoucher, VoucherSearch } from '../../src/kernel/vouchers/voucher-search.ts';
import { TESTER } from '../support/actors.ts';
import { tables } from '../support/tables.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, NOW_MS, sampleIntent, sampleOrder, sampleUpstream, seal } from './samples.ts';

const NOW_S = Math.floor(NOW_MS / 1000);
const LABELS = { reference: 'BK-Köln_7', note: 'Zimmer 12, späte Anreise', profileId: asProfileId(3) };

onEveryEngine('labels', (database) => {
  let site: SiteId;
  let other: SiteId;
  const store = () => makeVoucherStore(database(), seal);
  before(async () => {
    site = await addSite(database());
    other = await addSite(database());
  });

  async function begin(fields: Partial<NewIntent> = {}): Promise<Intent[]> {
    const begun = await store().begin(sampleIntent(site, { labels: LABELS, ...fields }));
    assert.ok(begun.ok);
    return begun.value;
  }
  async function record(id: string, fields: Partial<NewIntent> = {}): Promise<void> {
    const intents = await begin(fields);
    assert.equal(
      (await store().record(intents, [sampleUpstream(id, { code: `04827159${id}` })])).left.length,
      0,
    );
  }
  async function search(fields: Partial<VoucherSearch>): Promise<FoundVoucher[]> {
    const input = { siteIds: [site, other], limit: 50, nowS: NOW_S, ...fields };
    return (await searchVouchers(database(), input)).vouchers;
  }
  const codes = async (fields: Partial<VoucherSearch>) =>
    (await search(fields)).map(({ code }) => code.slice(-2)).sort();

  test('a voucher has the labels of its intent, also if settling records it', async () => {
    await record('11');
    await begin();
    const left = await store().listIntents(site);
    assert.partialDeepStrictEqual(left, [{ labels: LABELS }]);
    const recovered = await store().recover(left, [sampleUpstream('12', { code: '0482715912' })]);
    assert.equal(recovered.created.length, 1);
    await record('13', { siteId: other, labels: { note: 'nur eine Notiz' } });
    await record('14', { labels: {} });
    const { reference, note, profileId } = LABELS;
    assert.partialDeepStrictEqual(await search({ sort: 'oldest' }), [
      { code: '0482715911', reference, note, profileId },
      { code: '0482715912', reference, note, profileId },
      { code: '0482715913', reference: null, note: 'nur eine Notiz', profileId: null },
      { code: '0482715914', reference: null, note: null, profileId: null },
    ]);
  });

  test('a voucher is found by its whole reference, and by its code the newest', async () => {
    await record('15', { siteId: other, labels: { reference: 'BK-Köln_71' } });
    assert.deepEqual(await codes({ reference: LABELS.reference }), ['11', '12']);
    assert.deepEqual(await codes({ reference: LABELS.reference, siteIds: [other] }), []);
    assert.deepEqual(await codes({ reference: LABELS.reference, limit: 1 }), ['12']);
    assert.deepEqual(await codes({ reference: 'bk-köln_7' }), []);
    assert.deepEqual(await codes({ reference: LABELS.reference, state: 'revoked' }), []);
    const found = await findVoucherByCode(database().read, site, '0482715911');
    assert.equal(found?.reference, LABELS.reference);
    assert.equal(await findVoucherByCode(database().read, other, '0482715911'), undefined);
    assert.equal(await findVoucherByCode(database().read, other, "'"), undefined);
  });

  test('a part of the reference is found as text, before and after it is in the index; the name on its own', async () => {
    for (const isIndexed of [false, true]) {
      if (isIndexed) await makeSearchIndex(database()).add(0);
      for (const text of ['BK-Köln_7', 'köln_7', 'bk-KÖLN_7'.toLowerCase(), 'n_7'])
        assert.deepEqual(await codes({ text }), ['11', '12', '15'], `${text} ${isIndexed}`);
      assert.deepEqual(await codes({ text: 'kölnx7' }), []);
      assert.deepEqual(await codes({ name: 'köln' }), []);
      assert.deepEqual(await codes({ name: 'ZIMMER 12', reference: 'BK-Köln_71' }), ['15']);
      assert.deepEqual(await codes({ name: '0482715911' }), []);
    }
  });

  test('a lost voucher is replaced by one with the same labels', async () => {
    const [lost] = await search({ reference: 'BK-Köln_71' });
    assert.ok(lost);
    await database().write((transaction) =>
      transaction
        .updateTable('vouchers')
        .set({ ended_at_s: NOW_S, missing_since_s: NOW_S })
        .where('id', '=', lost.id)
        .execute(),
    );
    const scope = { siteId: other, voucherId: asVoucherId(lost.id), untilS: NOW_S };
    const [group] = await makeLostVoucherStore(database()).listGroups(scope);
    assert.deepEqual(group?.order.labels, { reference: 'BK-Köln_71' });
    assert.equal(group?.order.name, sampleOrder.name.slice(11));
  });

  test('references and notes are found and erased as personal data, also in the index', async () => {
    const text = makePersonalText('köln_7');
    assert.ok(text.ok);
    const personal = makePersonalDataStore(database(), seal, tables);
    const open = await begin();
    const places: string[] = [];
    for await (const { table, columns, erasure } of personal.find(text.value))
      places.push(`${table}.${columns} ${erasure}`);
    assert.deepEqual(places, [
      'vouchers.reference possible',
      'vouchers.reference possible',
      'intents.reference kept',
    ]);
    await personal.erase(text.value, { actor: TESTER, atMs: NOW_MS });
    assert.deepEqual(await codes({ text: 'köln_7' }), ['15']);
    const parts = database().read.selectFrom('voucher_parts').select('part').where('block', '=', 0);
    assert.deepEqual(await parts.execute(), []);
    assert.equal(await store().abandon(open), true);
  });
});
