// Tests that the cost of a request does not grow with the tables: no query of a request may scan a table or sort. The
// test reads SQLite's plan of every statement that the code prepares.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAIL_CHANNEL } from '../../src/features/mail/mail.ts';
import { makeMailRecipients } from '../../src/features/mail/mail-recipient-queries.ts';
import { WEBHOOK_CHANNEL } from '../../src/features/webhooks/delivery.ts';
import { selectGivenUp } from '../../src/features/webhooks/delivery-log-queries.ts';
import { insertDeliveries } from '../../src/features/webhooks/delivery-queries.ts';
import { makeDeliveryStore } from '../../src/features/webhooks/webhook-store.ts';
import { selectBatches } from '../../src/kernel/batches/batch-queries.ts';
import { KINDS } from '../../src/kernel/controllers/kinds.ts';
import {
  asBatchId,
  asBulkRevocationId,
  asDeliveryId,
  asKeyId,
  asReplacementId,
  asSiteId,
  asVoucherId,
} from '../../src/kernel/ids.ts';
import { makeKeyStore } from '../../src/kernel/keys/key-store.ts';
import { makeMessageQueue } from '../../src/kernel/messages/message-store.ts';
import { makeSiteStore } from '../../src/kernel/sites/site-store.ts';
import { selectAwaiting } from '../../src/kernel/vouchers/storage/bulk-revocation-queries.ts';
import { makeEndedVoucherStore } from '../../src/kernel/vouchers/storage/ended-store.ts';
import { releaseReplaced } from '../../src/kernel/vouchers/storage/lost-queries.ts';
import { makeLostVoucherStore } from '../../src/kernel/vouchers/storage/lost-store.ts';
import { selectIdByCode } from '../../src/kernel/vouchers/storage/revocation-queries.ts';
import { searchVouchers } from '../../src/kernel/vouchers/storage/search-queries.ts';
import {
  selectStatesPerSite,
  selectVouchersPerDay,
} from '../../src/kernel/vouchers/storage/statistics-queries.ts';
import { makeUsageStore } from '../../src/kernel/vouchers/storage/usage-store.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import { makeReadBacklogs } from '../../src/platform/database/backlog-queries.ts';
import { TESTER } from '../support/actors.ts';
import { isCostly, openPlans, type Plans } from './plans.ts';
import {
  addKey,
  addSite,
  addWebhook,
  delivered,
  goodAttempt,
  NOW_MS,
  oweNotifications,
  sampleIntent,
  sampleNotification,
  sampleTicket,
  sampleUpstream,
  seal,
} from './samples.ts';
import { makeWebhookQueue } from './webhook-queue.ts';

let database: Plans['database'];
let beside: Plans['beside'];
let prepared: Plans['prepared'];
let planOf: Plans['planOf'];
let plansOf: Plans['plansOf'];
let assertDirect: Plans['assertDirect'];
let close: Plans['close'];
before(async () => {
  ({ database, beside, prepared, planOf, plansOf, assertDirect, close } = openPlans());
  await addSite(database);
  await addKey(database, 'keyAAAAA');
});
after(() => close());

test('a key is found by its primary key', async () => {
  await assertDirect(() => makeKeyStore(database).find(asKeyId('keyAAAAA')), /SEARCH api_keys USING INDEX/);
});

test('a site and its list version are found by id', async () => {
  await assertDirect(
    () => makeSiteStore(database, seal, KINDS).find(asSiteId(1)),
    /SEARCH sites USING INTEGER PRIMARY KEY/,
  );
  const { listVersion } = makeVoucherStore(database, seal);
  await assertDirect(() => listVersion(asSiteId(1)), /SEARCH sites USING INTEGER PRIMARY KEY/);
});

test('the list of the newest vouchers is read from its index in order', async () => {
  const { listNewest } = makeVoucherStore(database, seal);
  await assertDirect(() => listNewest(asSiteId(1), 200), /SEARCH vouchers USING INDEX vouchers_newest/);
});

test('a page of vouchers is read from an index in each order', async () => {
  const page = { siteIds: [asSiteId(1)], limit: 50, nowS: 1 };
  const after = { createdAtS: 1, nameSortKey: 'a', id: 1 };
  for (const sort of ['newest', 'oldest', 'name', 'name-back'] as const)
    for (const from of [{}, { after }]) {
      const plans = await plansOf(() => searchVouchers(database, { ...page, sort, ...from }));
      const steps = plans.flatMap(({ plan }) => plan);
      const index = sort.startsWith('name') ? 'vouchers_by_name' : 'vouchers_newest';
      assert.match(steps.join('\n'), new RegExp(`SEARCH vouchers USING (COVERING )?INDEX ${index}`), sort);
      // Only the rows of the page itself, at most fifty, are scanned.
      assert.ok(!steps.some((step) => /SCAN (?!vouchers$|\()/.test(step)), steps.join('\n'));
    }
});

test('lost vouchers are counted and listed, and those of a batch are released, through an index', async () => {
  const lost = makeLostVoucherStore(database);
  const scope = { siteId: asSiteId(1), untilS: 1 };
  const ofSite = /vouchers USING (COVERING )?INDEX vouchers_lost \(site_id=\? AND ended_at_s>/;
  for (const action of [
    () => lost.count(scope),
    () => lost.listGroups(scope),
    () => lost.dismiss(scope, { actor: TESTER, atMs: 1 }),
  ])
    await assertDirect(action, ofSite);
  // Reads all sites.
  const counting = (await plansOf(() => lost.countPerSite(1))).flatMap(({ plan }) => plan);
  assert.equal(counting.filter((step) => ofSite.test(step)).length, 2);
  assert.ok(!counting.some((step) => /SCAN vouchers|TEMP B-TREE/.test(step)), counting.join('\n'));
  await assertDirect(
    () => database.write((transaction) => releaseReplaced(transaction, asBatchId('b'))),
    /vouchers USING (COVERING )?INDEX vouchers_replaced/,
  );
  // Sorts the batches of one replacement, at most 500.
  const [replacing] = await plansOf(() => lost.listReplacing(asReplacementId('r')));
  assert.match(
    replacing?.plan.join('\n') ?? '',
    /batches USING INDEX batches_of_replacement.*vouchers USING (COVERING )?INDEX vouchers_of_batch/s,
  );
});

test('vouchers past their own end are listed and counted through the index of their ends', async () => {
  const ended = makeEndedVoucherStore(database);
  const from = { untilS: 1, afterId: asVoucherId(0), limit: 5 };
  for (const action of [
    () => ended.listSites(1),
    () => ended.listDue(asSiteId(1), from),
    () => ended.countOverdue(1),
  ]) {
    const steps = (await plansOf(action)).flatMap(({ plan }) => plan);
    const reads = steps.filter((step) => /^(SCAN|SEARCH) vouchers/.test(step));
    assert.deepEqual(reads, ['SEARCH vouchers USING INDEX vouchers_ending (ends_at_s<?)']);
  }
});

test('the backlogs are counted through indexes', async () => {
  const steps = (await plansOf(makeReadBacklogs(database))).flatMap(({ plan }) => plan).join('\n');
  assert.match(steps, /messages USING (COVERING )?INDEX messages_queue/);
  assert.match(steps, /vouchers USING INDEX vouchers_ending/);
});

test('batches are listed, and the vouchers of a batch and of a bulk revocation are found, through an index', async () => {
  const [siteIds, nowS] = [[asSiteId(1), asSiteId(2)], 1];
  const after = { createdAtMs: 1, id: asBatchId('b') };
  for (const [action, index] of [
    [() => selectBatches(database.read, { siteIds, limit: 5 }), 'batches USING INDEX batches_of_several'],
    [
      () => selectBatches(database.read, { siteIds, after, limit: 5 }),
      'INDEX batches_of_several \\(created_at_ms',
    ],
    [
      () => searchVouchers(database, { siteIds, batchId: asBatchId('b'), limit: 5, nowS }),
      'vouchers USING INDEX vouchers_of_batch',
    ],
    [() => selectIdByCode(database.read, asSiteId(1), '0482715936'), 'INDEX vouchers_by_code \\(code=\\?\\)'],
    [
      () => selectAwaiting(database.read, asBulkRevocationId('r'), { siteId: asSiteId(1), limit: 4 }),
      'INDEX bulk_revocation_vouchers_open \\(revocation_id=\\? AND site_id',
    ],
  ] as const) {
    const steps = (await plansOf(action)).flatMap(({ plan }) => plan).join('\n');
    assert.match(steps, new RegExp(index));
    assert.doesNotMatch(steps, /SCAN (vouchers|sites|users)/);
  }
});

test('a search by part of a code reads the search index, single vouchers and the vouchers not yet indexed', async () => {
  const search = { siteIds: [asSiteId(1)], text: '15-936', limit: 30, nowS: 1, counts: true };
  const plans = await plansOf(async () => {
    for (const fields of [{}, { state: 'unused', created: { fromS: 1 } }, { sort: 'name' }] as const)
      await searchVouchers(database, { ...search, ...fields });
  });
  const steps = plans.flatMap(({ plan }) => plan);
  assert.match(steps.join('\n'), /SEARCH voucher_parts USING INDEX \S+ \(part=\?\)/);
  const reads = steps.filter((step) => step.startsWith('SEARCH vouchers'));
  assert.ok(reads.length >= 5);
  for (const read of reads) assert.match(read, /INTEGER PRIMARY KEY \(rowid(=\?|>\? AND rowid<\?)\)/);
  // The newest id is read from the end of the table, without a search.
  assert.ok(!steps.some((step) => /SCAN (?!json_each|\(|vouchers$)/.test(step)), steps.join('\n'));
});

test('vouchers of a period are read and counted from the index by time', async () => {
  const created = { fromS: 1, beforeS: 2 };
  const page = { siteIds: [asSiteId(1)], created, limit: 30, nowS: 1, counts: true };
  const plans = await plansOf(async () => {
    for (const fields of [{}, { state: 'unused' }, { sort: 'name' }] as const)
      await searchVouchers(database, { ...page, ...fields });
  });
  const reads = plans
    .flatMap(({ plan }) => plan)
    .filter((step) => /SEARCH vouchers USING .*INDEX/.test(step));
  assert.ok(reads.length >= 4);
  for (const read of reads)
    assert.match(read, /vouchers_newest \(site_id=\? AND created_at_s>\? AND created_at_s<\?\)/);
});

test('a filter examines the vouchers of all sites in one read of the table; the rest is read from the index', async () => {
  const siteIds = [1, 2, 3].map(asSiteId);
  for (const sort of ['newest', 'name'] as const) {
    const search = { siteIds, state: 'revoked', sort, limit: 30, nowS: 1, counts: true } as const;
    const steps = (await plansOf(() => searchVouchers(database, search))).flatMap(({ plan }) => plan);
    const reads = steps.filter((step) => /INDEX vouchers_\w+ \(site_id=\?/.test(step));
    assert.equal(reads.filter((step) => step.includes('COVERING')).length, siteIds.length, steps.join('\n'));
    assert.equal(reads.length, siteIds.length + 1, steps.join('\n'));
  }
});

test('the overview reads only the vouchers and deliveries of the last days', async () => {
  const days = [1, 2].map((fromS) => ({ date: '', fromS, beforeS: fromS + 1 }));
  const ofDays = (await plansOf(() => selectVouchersPerDay(database.read, days))).flatMap(({ plan }) => plan);
  const byTime =
    /SEARCH vouchers USING COVERING INDEX vouchers_latest \(created_at_s>\? AND created_at_s<\?\)/;
  assert.equal(ofDays.filter((step) => byTime.test(step)).length, days.length, ofDays.join('\n'));
  const ofSites = (await plansOf(() => selectStatesPerSite(database.read, 1, 2))).flatMap(({ plan }) => plan);
  assert.match(
    ofSites.join('\n'),
    /SEARCH vouchers USING INDEX vouchers_newest \(site_id=\? AND created_at_s>\?\)/,
  );
  assert.ok(!ofSites.some((step) => step.includes('TEMP B-TREE')), ofSites.join('\n'));
  const [givenUp] = await plansOf(() => selectGivenUp(database.read, 1));
  assert.match(givenUp?.plan.join() ?? '', /SEARCH messages USING INDEX messages_age/);
});

test('a stored response is found by API key and idempotency key', async () => {
  const { findResponse } = makeVoucherStore(database, seal);
  await assertDirect(
    () => findResponse(sampleTicket('t'), NOW_MS),
    /SEARCH idempotent_answers USING INDEX \S+ \(api_key_id=\? AND idempotency_key=\?\)/,
  );
});

test('opening an intent, claiming a voucher and ending the intent find every row by id', async () => {
  const { begin, record } = makeVoucherStore(database, seal);
  await assertDirect(async () => {
    const opened = await begin(sampleIntent(1), { ticket: sampleTicket('t') });
    assert.ok(opened.ok);
    assert.ok(await record(opened.value, [sampleUpstream('id-1')]));
  }, /SEARCH intents USING INTEGER PRIMARY KEY/);
});

test('claims are decided by a unique index on site and controller voucher id', () => {
  const unique = beside.prepare('pragma index_list(vouchers)').all();
  const claim = unique.find((index) => index.name === 'vouchers_claimed');
  assert.equal(claim?.unique, 1);
  const columns = beside.prepare('pragma index_info(vouchers_claimed)').all();
  assert.deepEqual(
    columns.map(({ name }) => name),
    ['site_id', 'controller_voucher_id'],
  );
});

test('abandoning an intent and deleting old responses scan no table', async () => {
  const store = makeVoucherStore(database, seal);
  const opened = await store.begin(sampleIntent(1));
  assert.ok(opened.ok);
  await assertDirect(() => store.abandon(opened.value), /SEARCH idempotent_answers USING .*\(intent_id=\?\)/);
  await assertDirect(() => store.forgetOldResponses(NOW_MS), /SEARCH idempotent_answers USING/);
});

test('a sync finds known and expected vouchers by index and changes single rows', async () => {
  const { findKnown, readExpected, sampleExpected, change } = makeUsageStore(database);
  const site = asSiteId(1);
  await assertDirect(() => findKnown(site, ['a', 'b']), /SEARCH vouchers USING INDEX vouchers_claimed/);
  await assertDirect(
    () => readExpected(site, asVoucherId(5), 200),
    /SEARCH vouchers USING INDEX vouchers_expected \(site_id=\? AND id>\?\)/,
  );
  await assertDirect(
    () => sampleExpected(site),
    /SEARCH vouchers USING INDEX vouchers_expected \(site_id=\?\)/,
  );
  const usage = { usedCount: 1, firstUsedAtS: 1, endedAtS: null, missingSinceS: null };
  await assertDirect(() => change(site, [{ id: asVoucherId(1), ...usage }]), /USING INTEGER PRIMARY KEY/);
});

test('the queue of a webhook is read from its index, however many deliveries are finished', async () => {
  const { next, noteAttempt, resend, queue } = makeWebhookQueue(database);
  const id = await addWebhook(database);
  await database.write((transaction) => insertDeliveries(transaction, [id], [sampleNotification('e')]));
  await assertDirect(
    () => queue.next(WEBHOOK_CHANNEL, id),
    /SEARCH messages USING INDEX messages_queue \(channel=\? AND recipient_id=\?\)/,
  );
  const delivery = await next(id);
  assert.ok(delivery);
  await assertDirect(
    () => noteAttempt(delivery, goodAttempt, delivered),
    /SEARCH messages USING INTEGER PRIMARY KEY/,
  );
  await assertDirect(
    () => resend(delivery.id, { actor: TESTER, atMs: 1 }),
    /SEARCH messages USING INTEGER PRIMARY KEY/,
  );
});

test('due webhooks are found by scanning the small table of webhooks, and their deliveries by index', async () => {
  const plans = await plansOf(makeWebhookQueue(database).listDue);
  const steps = plans.flatMap(({ plan }) => plan);
  assert.match(steps.join('\n'), /SEARCH messages EXISTS USING INDEX messages_queue/);
  assert.deepEqual(
    steps.filter(isCostly).filter((step) => !/SCAN webhooks/.test(step)),
    [],
  );
});

test('due mails are found by an index of their times, however many others have to wait', async () => {
  const queue = makeMessageQueue(database, seal, { mail: makeMailRecipients(database) });
  const plans = await plansOf(() => queue.listDue(MAIL_CHANNEL).then(() => queue.next(MAIL_CHANNEL, 1)));
  const steps = plans.flatMap(({ plan }) => plan).filter((step) => /messages U|SCAN m|B-TREE/.test(step));
  assert.ok(
    steps.length > 2 &&
      steps.every((step) => /mails_(due|paused) .+ (due|paused)_at_ms|PRIMARY KEY/.test(step)),
  );
});

test('the outbox is emptied from the front without a sort', async () => {
  await oweNotifications(database, 'f');
  const plans = await plansOf(() => makeDeliveryStore(database, seal).fanOut(10));
  const steps = plans.flatMap(({ plan }) => plan).filter((step) => /messages|TEMP B-TREE/.test(step));
  assert.deepEqual(steps, []);
});

test('the log of a webhook or a delivery, and old deliveries, are found by index', async () => {
  const { log, forgetFinished } = makeWebhookQueue(database);
  const webhookId = await addWebhook(database);
  await database.write((transaction) =>
    insertDeliveries(transaction, [webhookId], [sampleNotification('g')]),
  );
  await assertDirect(() => log({ limit: 10, webhookId }), /messages USING INDEX messages_of_recipient/);
  await assertDirect(
    () => log({ limit: 10, webhookId, beforeId: asDeliveryId(9) }),
    /messages USING INDEX messages_of_recipient \(channel=\? AND recipient_id=\? AND id<\?\)/,
  );
  await assertDirect(
    () => log({ limit: 10, deliveryId: asDeliveryId(1) }),
    /SEARCH messages USING INTEGER PRIMARY KEY/,
  );
  // The newest deliveries of all webhooks are read from the end of the table, without a sort.
  const [newest] = await plansOf(() => log({ limit: 10 }));
  assert.deepEqual(newest?.plan.filter(isCostly), ['SCAN messages']);
  await assertDirect(() => forgetFinished(NOW_MS), /messages USING .*INDEX messages_to_forget/);
});

test('the last use is written by primary key', async () => {
  const { saveLastUsed } = makeKeyStore(database);
  await assertDirect(
    () => saveLastUsed(new Map([[asKeyId('keyAAAAA'), { atMs: NOW_MS, ip: '192.0.2.1' }]])),
    /SEARCH api_keys USING INDEX/,
  );
});

test('a missing index is detected', () => {
  const list = prepared.find((sql) => sql.includes('from "vouchers"')) ?? '';
  assert.deepEqual(planOf(list).filter(isCostly), []);
  beside.exec('begin; drop index vouchers_newest; drop index vouchers_claimed');
  assert.notDeepEqual(planOf(list).filter(isCostly), []);
  beside.exec('rollback');
});
