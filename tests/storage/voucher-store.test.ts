// Tests the voucher store: each method is one transaction, and together they record every upstream voucher exactly
// once.

import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { UpstreamVoucher } from '../../src/kernel/controllers/controller.ts';
import type { SiteId } from '../../src/kernel/ids.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import type { IdempotencyTicket, Intent, VoucherStore } from '../../src/kernel/vouchers/voucher-records.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { onEveryEngine } from './engines.ts';
import {
  addKey,
  addSite,
  addWebhook,
  codeOf,
  sampleIntent,
  sampleTicket,
  sampleUpstream,
  seal,
} from './samples.ts';
import { untilWaiting } from './until-one-waits.ts';

const CREATED = { code: '0482715936', siteName: 'Haus A', maxUses: 3, expireMinutes: 480 };

onEveryEngine('the voucher store', (database) => {
  let store: VoucherStore;
  let site: SiteId;
  before(async () => {
    store = makeVoucherStore(database(), seal);
    await addKey(database(), 'keyAAAAA');
    await addWebhook(database());
  });
  beforeEach(async () => {
    await database().write(async (transaction) => {
      for (const table of ['vouchers', 'intents', 'outbox', 'audit', 'idempotent_answers'] as const)
        await transaction.deleteFrom(table).execute();
    });
    site = await addSite(database());
  });

  async function beginMany(count: number, ticket?: IdempotencyTicket): Promise<Intent[]> {
    const opened = await store.begin(sampleIntent(site), { count, ticket });
    assert.ok(opened.ok);
    return opened.value;
  }
  async function begin(ticket?: IdempotencyTicket): Promise<Intent> {
    const [intent] = await beginMany(1, ticket);
    assert.ok(intent);
    return intent;
  }
  const openIds = async () => (await store.listIntents()).map(({ id }) => id);
  const codes = async () => (await store.listNewest(site, 200)).map(({ code }) => code);
  const rows = (table: 'outbox' | 'audit') => database().read.selectFrom(table).selectAll().execute();
  const upstream = (id: string, code: string | null = '0482715936'): UpstreamVoucher =>
    sampleUpstream(id, { code });

  test('a begun intent is stored and counted', async () => {
    const intent = await begin();
    const [listed, ...more] = await store.listIntents();
    assert.partialDeepStrictEqual(listed, intent);
    assert.deepEqual(more, []);
    assert.ok(listed && listed.ageMs >= 0 && listed.ageMs < 60_000);
    assert.equal(await store.countIntents(), 1);
  });

  test('an intent keeps the end of its voucher until the voucher is recorded', async () => {
    const endsAtS = 1_800_000_000;
    assert.ok((await store.begin(sampleIntent(site, { endsAtS }))).ok);
    // As settling does after a crash: the intent is read again.
    const [left] = await store.listIntents();
    assert.equal(left?.endsAtS, endsAtS);
    const recording = await store.recover(left ? [left] : [], [upstream('id-1')]);
    assert.equal(recording.created[0]?.endsAtS, endsAtS);
    assert.equal((await store.listNewest(site, 1))[0]?.endsAtS, endsAtS);
  });

  test('without an active webhook, recording writes no notification', async () => {
    const setActive = (active: number) =>
      database().write((transaction) => transaction.updateTable('webhooks').set({ active }).execute());
    await setActive(0);
    assert.deepEqual((await store.record([await begin()], [upstream('id-1')])).left, []);
    assert.deepEqual([(await rows('outbox')).length, (await rows('audit')).length], [0, 1]);
    await setActive(1);
  });

  test('recording writes voucher, notification and audit entry, raises the list version, ends the intent', async () => {
    const intent = await begin();
    assert.partialDeepStrictEqual(await store.record([intent], [upstream('id-1')]), {
      created: [CREATED],
      left: [],
    });
    assert.deepEqual(await codes(), ['0482715936']);
    assert.equal((await store.listNewest(site, 1))[0]?.createdAtS, Math.floor(intent.createdAtMs / 1000));
    assert.equal(await store.listVersion(site), 1);
    assert.deepEqual(await store.listIntents(), []);
    const [event, ...events] = await rows('outbox');
    assert.partialDeepStrictEqual(event, { voucher_count: 1, site_name: 'Haus A', source: 'API: Theke' });
    const [entry, ...entries] = await rows('audit');
    assert.partialDeepStrictEqual(entry, { actor: 'API: Theke', action: 'voucher.created' });
    assert.deepEqual([...events, ...entries], []);
  });

  test('vouchers that are recorded together have one notification and an audit entry each', async () => {
    const intents = await beginMany(3);
    await store.record(
      intents,
      ['1', '2'].map((id) => upstream(id, id)),
    );
    assert.deepEqual(
      (await rows('outbox')).map((event) => event.voucher_count),
      [2],
    );
    assert.equal((await rows('audit')).length, 2);
    assert.equal((await openIds()).length, 1);
  });

  test('a voucher keeps its actor, also when it is recovered after a lost response', async () => {
    const [one, other] = [await begin(), await begin()];
    await store.record([one], [upstream('id-1')]);
    await store.recover([other], [upstream('id-2', '1111111111')]);
    const found = await database().read.selectFrom('vouchers').select('source').execute();
    assert.deepEqual(
      found.map(({ source }) => source),
      ['API: Theke', 'API: Theke'],
    );
  });

  test('if any part of a recording fails, nothing is written and the intent stays open', async () => {
    const intent = await begin(sampleTicket('t'));
    await database().write((transaction) => sql`alter table audit rename to elsewhere`.execute(transaction));
    await assert.rejects(store.record([intent], [upstream('id-1')]));
    await database().write((transaction) => sql`alter table elsewhere rename to audit`.execute(transaction));
    assert.deepEqual(await codes(), []);
    assert.deepEqual(await rows('outbox'), []);
    assert.equal(await store.listVersion(site), 0);
    assert.deepEqual(await openIds(), [intent.id]);
    assert.partialDeepStrictEqual(await store.record([intent], [upstream('id-1')]), {
      created: [CREATED],
      left: [],
    });
  });

  test('the first candidate that has a code and is not recorded yet is claimed', async () => {
    await store.record([await begin()], [upstream('id-1', '1111111111')]);
    const candidates = [
      upstream('id-0', null),
      upstream('id-1', '1111111111'),
      upstream('id-2', '2222222222'),
    ];
    const second = await store.record([await begin()], candidates);
    assert.equal(codeOf(second), '2222222222');
    assert.deepEqual(await codes(), ['2222222222', '1111111111']);
  });

  test('without a free candidate nothing is recorded and the intent stays open', async () => {
    await store.record([await begin()], [upstream('id-1')]);
    const intent = await begin();
    const nothing = { created: [], left: [intent] };
    assert.deepEqual(await store.record([intent], [upstream('id-1')]), nothing);
    assert.deepEqual(await store.record([intent], []), nothing);
    assert.deepEqual(await openIds(), [intent.id]);
    assert.equal((await rows('outbox')).length, 1);
  });

  test('many concurrent intents with the same few candidates claim each voucher once', async () => {
    const intents = await Promise.all(Array.from({ length: 10 }, () => begin()));
    const candidates = ['a', 'b', 'c'].map((id) => upstream(id, id));
    const made = await Promise.all(intents.map((intent) => store.record([intent], candidates)));
    assert.deepEqual(made.flatMap((created) => codeOf(created) ?? []).sort(), ['a', 'b', 'c']);
    assert.equal(await store.countIntents(), 7);
  });

  test('equal intents are opened together and claim the available vouchers together', async () => {
    const intents = await beginMany(5);
    assert.deepEqual(
      await openIds(),
      intents.map(({ id }) => id),
    );
    const made = ['a', 'b', 'c'].map((id) => upstream(id, id));
    const first = await store.record(intents, [upstream('none', null), ...made]);
    assert.deepEqual(
      first.created.map(({ code }) => code),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(first.left, intents.slice(3));
    assert.equal(await store.listVersion(site), 1, 'one change for all vouchers');
    const rest = await store.recover(first.left, [...made, upstream('d', 'd'), upstream('e', 'e')]);
    assert.deepEqual([rest.created.length, rest.left], [2, []]);
    assert.deepEqual(await codes(), ['e', 'd', 'c', 'b', 'a']);
    assert.equal(await store.countIntents(), 0);
  });

  test('if one of several intents is gone, the others are recorded and the remaining vouchers stay free', async () => {
    const intents = await beginMany(3);
    await store.abandon(intents.slice(1, 2));
    const candidates = ['a', 'b', 'c'].map((id) => upstream(id, id));
    const recording = await store.record(intents, candidates);
    assert.deepEqual([recording.created.map(({ code }) => code), recording.left], [['a', 'b'], []]);
    assert.deepEqual(await codes(), ['b', 'a']);
    assert.deepEqual((await store.record(await beginMany(1), candidates)).created[0]?.code, 'c');
  });

  test('several intents are abandoned together', async () => {
    assert.equal(await store.abandon(await beginMany(3)), true);
    assert.equal(await store.countIntents(), 0);
  });

  test('a ticket is in progress, then returns the stored response, and refuses another body', async () => {
    const ticket = sampleTicket('t');
    const find = (body = ticket) => store.findResponse(body, Date.now());
    assert.equal(await find(), undefined);
    const intent = await begin(ticket);
    const waiting = await find();
    assert.ok(waiting && !waiting.ok && waiting.problem.kind === 'idempotency-in-progress');
    assert.ok((waiting.problem.ageMs ?? -1) >= 0);
    const [created] = (await store.record([intent], [upstream('id-1')])).created;
    assert.equal(typeof created?.id, 'number');
    assert.deepEqual(await find(), { ok: true, value: { response: created } });
    const other = { ok: false, problem: { kind: 'idempotency-key-reused' } };
    assert.deepEqual(await find({ ...ticket, bodyHash: 'other' }), other);
  });

  test('a taken ticket opens no second intent', async () => {
    const ticket = sampleTicket('t');
    const opened = await Promise.all([1, 2, 3].map(() => store.begin(sampleIntent(site), { ticket })));
    assert.equal(opened.filter(({ ok }) => ok).length, 1);
    assert.equal(await store.countIntents(), 1);
  });

  const NOW_S = Math.floor(Date.now() / 1000);
  for (const [state, columns, isFreed] of [
    ['in-use', { used_count: 1, first_used_at_s: NOW_S }, false],
    ['used-up', { used_count: 3, first_used_at_s: NOW_S }, false],
    ['revoked', { ended_at_s: NOW_S, revoked_at_s: NOW_S }, true],
    ['deleted', { ended_at_s: NOW_S }, true],
    ['expired', { used_count: 1, first_used_at_s: NOW_S - 480 * 60 }, true],
    // Release 0.2 has replaced an expired response and kept the id of its voucher, which has ended since.
    ['revoked, of another response', { code: '1111111111', ended_at_s: NOW_S, revoked_at_s: NOW_S }, false],
  ] as const)
    test(`the ticket of a voucher that is ${state} is ${isFreed ? 'freed' : 'still taken'}`, async () => {
      const ticket = sampleTicket('t');
      await store.record([await begin(ticket)], [upstream('id-1')]);
      await database().write((transaction) => transaction.updateTable('vouchers').set(columns).execute());
      const found = await store.findResponse(ticket, NOW_S * 1000);
      assert.ok(found?.ok);
      assert.equal('freed' in found.value, isFreed);
    });

  test('the ticket of a voucher that retention has deleted is freed; without a voucher id it is taken', async () => {
    const ticket = sampleTicket('t');
    await store.record([await begin(ticket)], [upstream('id-1')]);
    await database().write((transaction) => transaction.deleteFrom('vouchers').execute());
    assert.partialDeepStrictEqual(await store.findResponse(ticket, Date.now()), { value: { freed: ticket } });
    await database().write((transaction) =>
      transaction.updateTable('idempotent_answers').set({ voucher_id: null }).execute(),
    );
    assert.deepEqual(await store.findResponse(ticket, Date.now()), {
      ok: true,
      value: { response: CREATED },
    });
  });

  test('of many requests that found a ticket freed, one opens an intent', async () => {
    const ticket = sampleTicket('t');
    await store.record([await begin(ticket)], [upstream('id-1')]);
    await database().write((transaction) => transaction.deleteFrom('vouchers').execute());
    const found = await store.findResponse(ticket, Date.now());
    assert.ok(found?.ok && 'freed' in found.value);
    const { freed } = found.value;
    const beginAgain = () => store.begin(sampleIntent(site), { ticket: freed });
    const opened = await Promise.all(Array.from({ length: 20 }, beginAgain));
    const [won, ...more] = opened.flatMap((result) => (result.ok ? result.value : []));
    assert.ok(won);
    assert.deepEqual(more, []);
    await store.record([won], [upstream('id-2', '2222222222')]);
    const inProgress = { ok: false, problem: { kind: 'idempotency-in-progress' } };
    assert.deepEqual(await beginAgain(), inProgress, 'the new voucher has not ended');
    const again = await store.findResponse(ticket, Date.now());
    assert.partialDeepStrictEqual(again, { ok: true, value: { response: { code: '2222222222' } } });
  });

  test('an abandoned intent is deleted without a notification, and its ticket is free', async () => {
    const ticket = sampleTicket('t');
    await store.abandon([await begin(ticket)]);
    assert.deepEqual(await store.listIntents(), []);
    assert.equal(await store.findResponse(ticket, Date.now()), undefined);
    assert.deepEqual(await rows('outbox'), []);
    await begin(ticket);
  });

  test('an intent that another process has settled records nothing more', async () => {
    const intent = await begin();
    await store.record([intent], [upstream('id-1')]);
    assert.deepEqual(await store.record([intent], [upstream('id-2')]), { created: [], left: [] });
    assert.equal((await codes()).length, 1);
  });

  test('an intent for the stock that another process has settled puts no voucher into the stock', async () => {
    const opened = await store.begin(sampleIntent(site, { purpose: { kind: 'stock', screenId: null } }));
    assert.ok(opened.ok);
    await store.abandon(opened.value);
    assert.deepEqual(await store.record(opened.value, [upstream('id-1')]), { created: [], left: [] });
    const inStock = database().read.selectFrom('stock').select('code').where('site_id', '=', site);
    assert.deepEqual(await inStock.execute(), []);
  });

  test('recording and settling one intent at the same moment do not wait for each other in a circle', async () => {
    const intent = await begin();
    let attempts = 0;
    const count = <Value>(value: Value): Value => {
      attempts += 1;
      return value;
    };
    const { write, writeAtOnce } = database();
    const counting: Database = {
      ...database(),
      write: (job, urgency) => write((transaction) => job(count(transaction)), urgency),
      ...(writeAtOnce && {
        writeAtOnce: (job, urgency) => writeAtOnce((handle) => job(count(handle)), urgency),
      }),
    };
    const counted = makeVoucherStore(counting, seal);
    let both: Promise<unknown>[] = [];
    // While the intent is locked, the recording waits first, and the settling waits behind it.
    await write(async (transaction) => {
      await transaction.updateTable('intents').set({ name: intent.order.name }).execute();
      both = [counted.record([intent], [upstream('id-1')])];
      await untilWaiting(database(), 1);
      both.push(counted.recover([intent], [upstream('id-1')]));
      await untilWaiting(database(), 2);
    });
    await Promise.all(both);
    assert.deepEqual(await codes(), ['0482715936']);
    assert.equal(attempts, 2, 'no transaction was repeated');
  });

  test('a recovered voucher may belong to an equal older intent, so the age of that intent is reset', async () => {
    const order = { ...sampleIntent(site).order, maxUses: 9 };
    const [older, other] = [await begin(), await store.begin(sampleIntent(site, { order }))];
    const elsewhere = await store.begin(sampleIntent(await addSite(database())));
    assert.ok(other.ok && elsewhere.ok);
    const age = () =>
      database().write((handle) => handle.updateTable('intents').set({ created_at_ms: 1 }).execute());
    await age();
    const younger = await begin();
    assert.equal(codeOf(await store.recover([younger], [upstream('id-1')])), '0482715936');
    const times = (await store.listIntents()).map(({ id, createdAtMs }) => [id, createdAtMs]);
    assert.deepEqual(times, [
      [older.id, younger.createdAtMs],
      [other.value[0]?.id, 1],
      [elsewhere.value[0]?.id, 1],
    ]);
    await age();
    await store.record([await begin()], [upstream('id-2')]);
    assert.equal(
      (await store.listIntents())[0]?.createdAtMs,
      1,
      'record does not reset the age of other intents',
    );
  });

  test('an intent whose age was reset in the meantime is not abandoned', async () => {
    const intent = await begin();
    await store.abandon([{ ...intent, createdAtMs: intent.createdAtMs - 1 }]);
    assert.deepEqual(await openIds(), [intent.id]);
  });

  test('intents are listed for one site or for all sites', async () => {
    const [here, elsewhere] = [await begin(), await addSite(database())];
    const there = await store.begin(sampleIntent(elsewhere));
    assert.ok(there.ok);
    assert.deepEqual(await openIds(), [here.id, there.value[0]?.id]);
    assert.deepEqual(
      (await store.listIntents(elsewhere)).map(({ id }) => id),
      [there.value[0]?.id],
    );
  });

  test('stored responses are deleted after a day', async () => {
    const ticket = sampleTicket('t');
    const intent = await begin(ticket);
    await store.record([intent], [upstream('id-1')]);
    const dayLaterMs = intent.createdAtMs + 24 * 60 * 60 * 1000;
    assert.equal(await store.forgetOldResponses(dayLaterMs), 0);
    assert.equal(await store.forgetOldResponses(dayLaterMs + 1), 1);
    assert.equal(await store.findResponse(ticket, Date.now()), undefined);
  });
});
