// The store for the records of scheduled backups. One row of the settings table contains all of them.

import * as v from 'valibot';
import type { Database } from '../database/database.ts';
import { holdOrStoreSetting, selectSetting, upsertSetting } from '../database/installation-queries.ts';
import type { BackupRecord, BackupRecords } from './scheduled-backups.ts';

export const SCHEDULED_BACKUPS = 'scheduled_backups';
const RECORD = v.object({
  folder: v.string(),
  name: v.string(),
  startedAtMs: v.number(),
  bytes: v.nullable(v.number()),
  host: v.optional(v.string()),
});

export function makeBackupRecords(database: Database): BackupRecords {
  const change = (edit: (records: BackupRecord[]) => BackupRecord[]) =>
    database.write(async (transaction) => {
      // A concurrent change waits for this transaction.
      const { known, unknown } = read(await holdOrStoreSetting(transaction, SCHEDULED_BACKUPS, '[]'));
      // Records that only a newer release can read are kept.
      await upsertSetting(transaction, SCHEDULED_BACKUPS, JSON.stringify([...edit(known), ...unknown]));
    });
  return {
    list: async () => read(await selectSetting(database.read, SCHEDULED_BACKUPS)).known,
    add: (record) => change((records) => [...records, record]),
    finish: (record, bytes) =>
      change((records) => records.map((other) => (isSame(record, other) ? { ...other, bytes } : other))),
    remove: (record) => change((records) => records.filter((other) => !isSame(record, other))),
  };
}

function read(text = '[]'): { known: BackupRecord[]; unknown: unknown[] } {
  const stored = v.parse(v.fallback(v.array(v.unknown()), []), JSON.parse(text));
  return {
    known: stored.filter((record) => v.is(RECORD, record)),
    unknown: stored.filter((record) => !v.is(RECORD, record)),
  };
}

function isSame(one: BackupRecord, other: BackupRecord): boolean {
  return one.folder === other.folder && one.name === other.name;
}
