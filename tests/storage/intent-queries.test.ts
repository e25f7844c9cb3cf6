// Every question about intents, and the small ones around them: outbox and audit entries, on every engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asIntentId } from '../../src/domain/ids.ts';
import type { NewIntent } from '../../src/domain/vouchers/voucher-store.ts';
import { insertAuditEntry } from '../../src/storage/audit-queries.ts';
import { deleteIntent, insertIntent, selectIntents } from '../../src/storage/intent-queries.ts';
import { insertOutboxEvent } from '../../src/storage/outbox-queries.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, NOW_MS, sampleIntent, sampleOrder } from './samples.ts';

const opened = (site: number, fields: Partial<NewIntent> = {}, createdAtMs = NOW_MS) => ({
  ...sampleIntent(site, fields),
  createdAtMs,
});

onEveryEngine('intents', (database) => {
  test('intents come back as they were opened, oldest first, with the name of their site', async () => {
    const site = await addSite(database(), { name: 'Haus B' });
    const order = { ...sampleOrder, name: '2026-01-15_früher' };
    const ids = await database().write(async (transaction) => [
      await insertIntent(transaction, opened(site)),
      await insertIntent(transaction, opened(site, { order }, NOW_MS - 1)),
    ]);
    assert.deepEqual(await selectIntents(database().read), [
      { id: ids[0], ...opened(site, { siteName: 'Haus B' }) },
      { id: ids[1], ...opened(site, { siteName: 'Haus B', order }, NOW_MS - 1) },
    ]);
  });

  test('an intent is deleted once, and its number is never given again', async () => {
    const site = await addSite(database());
    const open = () => database().write((transaction) => insertIntent(transaction, opened(site)));
    const id = await open();
    const remove = () => database().write((transaction) => deleteIntent(transaction, id));
    assert.equal(await remove(), true);
    assert.equal(await remove(), false);
    assert.ok((await open()) > id);
  });

  test('an intent that never was cannot be deleted, nor one opened for no site', async () => {
    const gone = await database().write((transaction) => deleteIntent(transaction, asIntentId(99_999)));
    assert.equal(gone, false);
    const nowhere = database().write((transaction) => insertIntent(transaction, opened(99_999)));
    await assert.rejects(nowhere, /foreign key/i);
  });
});

onEveryEngine('outbox and audit log', (database) => {
  const event = {
    eventId: 'event-1',
    voucherCount: 1,
    siteName: 'Haus A',
    source: 'API: Theke',
    createdAtMs: NOW_MS,
  };

  test('a notification that is owed is kept with all it tells, once', async () => {
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

  test('an audit entry says when, who, what and about whom', async () => {
    const entry = { atMs: NOW_MS, actor: 'CLI: ada', action: 'key.revoked', subject: 'abcdefgh' };
    await database().write((transaction) => insertAuditEntry(transaction, entry));
    const [row] = await database().read.selectFrom('audit').selectAll().execute();
    assert.partialDeepStrictEqual(row, {
      at_ms: NOW_MS,
      actor: 'CLI: ada',
      action: 'key.revoked',
      subject: 'abcdefgh',
    });
  });
});
