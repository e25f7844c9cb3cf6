// The store for the backups that services have made: one row of the settings table.

import * as v from 'valibot';
import type { BackupRecord, BackupRecords } from '../../domain/backups/scheduled-backups.ts';
import type { Database, Handle } from '../database.ts';
import { selectSetting, upsertSetting } from '../settings/installation-queries.ts';

export const SCHEDULED_BACKUPS = 'scheduled_backups';
const RECORDS = v.fallback(
  v.array(
    v.object({
      folder: v.string(),
      name: v.string(),
      startedAtMs: v.number(),
      bytes: v.nullable(v.number()),
      host: v.optional(v.string()),
    }),
  ),
  [],
);

export function makeBackupRecords(database: Database): BackupRecords {
  const change = (edit: (records: BackupRecord[]) => BackupRecord[]) =>
    database.write(async (transaction) =>
      upsertSetting(transaction, SCHEDULED_BACKUPS, JSON.stringify(edit(await select(transaction)))),
    );
  return {
    list: () => select(database.read),
    add: (record) => change((records) => [...records, record]),
    finish: (record, bytes) =>
      change((records) => records.map((other) => (isSame(record, other) ? { ...other, bytes } : other))),
    remove: (record) => change((records) => records.filter((other) => !isSame(record, other))),
  };
}

async function select(handle: Handle): Promise<BackupRecord[]> {
  return v.parse(RECORDS, JSON.parse((await selectSetting(handle, SCHEDULED_BACKUPS)) ?? '[]'));
}

function isSame(one: BackupRecord, other: BackupRecord): boolean {
  return one.folder === other.folder && one.name === other.name;
}
