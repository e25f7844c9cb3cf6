// Tests what is stored about the clock: the first heartbeat comes from the newest record, and concurrent changes do not
// overwrite each other.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { makeClockRecordStore } from '../../src/kernel/clock-check/clock-record-store.ts';
import { upsertSetting } from '../../src/platform/database/installation-queries.ts';
import { TESTER } from '../support/actors.ts';
import { insertEarlierEntry } from '../support/earlier-entries.ts';
import { onEveryEngine } from './engines.ts';
import { NOW_MS } from './samples.ts';

onEveryEngine('clock records', (database) => {
  const store = () => makeClockRecordStore(database());
  const addEntry = (atMs: number) =>
    database().write((to) =>
      insertEarlierEntry(to, { atMs, actor: TESTER, action: 'site.added', subject: 'site 1' }),
    );
  beforeEach(async () => {
    for (const table of ['settings', 'audit'] as const)
      await database().write((transaction) => transaction.deleteFrom(table).execute());
  });

  test('a new installation begins with the current time', async () => {
    assert.deepEqual(await store().read(NOW_MS), { heartbeatMs: NOW_MS, runningMs: 0, doubt: null });
  });

  test('without a heartbeat the newest record counts that is not in the future', async () => {
    await addEntry(NOW_MS - 5_000);
    assert.equal((await store().read(NOW_MS)).heartbeatMs, NOW_MS - 5_000);
    await database().write((to) => upsertSetting(to, 'last_probe', String(NOW_MS - 4_000)));
    assert.equal((await store().read(NOW_MS)).heartbeatMs, NOW_MS - 4_000);
    await addEntry(NOW_MS + 9_000);
    assert.equal((await store().read(NOW_MS)).heartbeatMs, NOW_MS - 4_000);
  });

  test('a stored heartbeat counts more than any record', async () => {
    await store().change(NOW_MS, (record) => ({ ...record, heartbeatMs: 1 }));
    await addEntry(NOW_MS - 1);
    assert.equal((await store().read(NOW_MS)).heartbeatMs, 1);
  });

  test('changes at the same time are made one after the other', async () => {
    await Promise.all(
      Array.from({ length: 5 }, () =>
        store().change(NOW_MS, (record) => ({ ...record, runningMs: record.runningMs + 1 })),
      ),
    );
    assert.equal((await store().read(NOW_MS)).runningMs, 5);
  });

  test('a confirmation ends the doubt and is in the audit log', async () => {
    const doubt = { sinceRunningMs: 3, seenMs: NOW_MS };
    await store().change(NOW_MS, () => ({ heartbeatMs: 1, runningMs: 7, doubt }));
    await store().confirm({ actor: TESTER, atMs: NOW_MS });
    assert.deepEqual(await store().read(NOW_MS), { heartbeatMs: NOW_MS, runningMs: 7, doubt: null });
    const [entry] = await database().read.selectFrom('audit').selectAll().execute();
    assert.deepEqual([entry?.action, entry?.subject], ['clock.confirmed', new Date(NOW_MS).toISOString()]);
  });
});
