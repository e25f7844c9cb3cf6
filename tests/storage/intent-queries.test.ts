// Tests the queries for intents, outbox and audit entries on every engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertAuditEntry } from '../../src/kernel/audit/audit-queries.ts';
import { asIntentId, type SiteId } from '../../src/kernel/ids.ts';
import { insertOutboxEvent } from '../../src/kernel/messages/outbox-queries.ts';
import {
  deleteIntent,
  makeInsertIntent,
  selectIntents,
} from '../../src/kernel/vouchers/storage/intent-queries.ts';
import type { NewIntent } from '../../src/kernel/vouchers/voucher-records.ts';
import { actorOf } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, addWebhook, NOW_MS, sampleIntent, sampleOrder } from './samples.ts';

onEveryEngine('intents', (database) => {
  const open = (intent: NewIntent) =>
    database().write((transaction) => makeInsertIntent(database().now())(transaction, intent));
  const all = (siteId?: SiteId) => selectIntents(database().read, database().now(), { siteId });

  test('intents are read back as they were opened, oldest first, with their age and site name', async () => {
    const site = await addSite(database(), { name: 'Haus B' });
    const order = { ...sampleOrder, name: '2026-01-15_früher' };
    const made = [await open(sampleIntent(site)), await open(sampleIntent(site, { order }))];
    const found = await all();
    assert.deepEqual(
      found.map(({ ageMs, ...intent }) => intent),
      made.map((intent) => ({ ...intent, siteName: 'Haus B' })),
    );
    for (const { ageMs } of found) assert.ok(ageMs >= 0 && ageMs < 60_000);
    assert.deepEqual(await all(await addSite(database())), []);
  });

  test('an intent is deleted once, and its id is never reused', async () => {
    const site = await addSite(database());
    const { id } = await open(sampleIntent(site));
    const remove = async () =>
      (await database().write((transaction) => deleteIntent(transaction, id))) !== undefined;
    assert.equal(await remove(), true);
    assert.equal(await remove(), false);
    assert.ok((await open(sampleIntent(site))).id > id);
  });

  test('an intent that does not exist cannot be deleted, and an intent needs an existing site', async () => {
    const gone = await database().write((transaction) => deleteIntent(transaction, asIntentId(99_999)));
    assert.equal(gone, undefined);
    await assert.rejects(open(sampleIntent(99_999)), /foreign key/i);
  });
});

onEveryEngine('outbox and audit log', (database) => {
  const event = {
    eventId: 'event-1',
    voucherCount: 1,
    siteName: 'Haus A',
    source: 'API: Theke',
    occurredAtMs: NOW_MS,
  };

  test('a notification is stored with all its fields, once', async () => {
    await addWebhook(database());
    await database().write((transaction) => insertOutboxEvent(transaction, event));
    const again = database().write((transaction) => insertOutboxEvent(transaction, event));
    await assert.rejects(again, /unique/i);
    const [row, ...more] = await database().read.selectFrom('outbox').selectAll().execute();
    assert.deepEqual(more, []);
    assert.partialDeepStrictEqual(row, {
      event_id: 'event-1',
      voucher_count: 1,
      site_name: 'Haus A',
      source: 'API: Theke',
      created_at_ms: NOW_MS,
    });
  });

  test('an audit entry contains time, actor, action, details and their text', async () => {
    const by = { atMs: NOW_MS, actor: actorOf('CLI: ada') };
    const details = { key: { id: 'abcdefgh', name: '' } };
    await database().write((transaction) =>
      insertAuditEntry(transaction, { ...by, action: 'key.revoked', details }),
    );
    const [row] = await database().read.selectFrom('audit').selectAll().execute();
    assert.partialDeepStrictEqual(row, {
      at_ms: NOW_MS,
      actor: 'CLI: ada',
      actor_id: null,
      action: 'key.revoked',
      subject: 'abcdefgh',
      details: '{"key":{"id":"abcdefgh","name":""}}',
    });
  });
});
