// The store for what is known about the clock: one row of the settings table.

import * as v from 'valibot';
import type { Database, Handle } from '../../platform/database/database.ts';
import {
  holdOrStoreSetting,
  selectSetting,
  upsertSetting,
} from '../../platform/database/installation-queries.ts';
import { insertAuditEntry, selectNewestAuditMs } from '../audit/audit-queries.ts';
import type { ClockRecord, ClockRecordStore } from './clock-check.ts';

const NAME = 'clock';
const RECORD = v.object({
  heartbeatMs: v.number(),
  runningMs: v.fallback(v.number(), 0),
  doubt: v.fallback(v.nullable(v.object({ sinceRunningMs: v.number(), seenMs: v.number() })), null),
});

export function makeClockRecordStore(database: Database): ClockRecordStore {
  return {
    read: async (nowMs) => (await select(database.read)) ?? firstRecord(database.read, nowMs),
    change: (nowMs, change) =>
      database.write(async (transaction) => {
        const changed = change(await hold(transaction, nowMs));
        await upsertSetting(transaction, NAME, JSON.stringify(changed));
        return changed;
      }),
    confirm: (audit) =>
      database.write(async (transaction) => {
        const record = await hold(transaction, audit.atMs);
        const confirmed = { ...record, heartbeatMs: audit.atMs, doubt: null };
        await upsertSetting(transaction, NAME, JSON.stringify(confirmed));
        const details = { name: new Date(audit.atMs).toISOString() };
        await insertAuditEntry(transaction, { ...audit, action: 'clock.confirmed', details });
      }),
  };
}

async function select(handle: Handle): Promise<ClockRecord | undefined> {
  const text = await selectSetting(handle, NAME);
  return text === undefined ? undefined : v.parse(RECORD, JSON.parse(text));
}

/** Locks the row, so that two instances do not overwrite each other's change. */
async function hold(transaction: Handle, nowMs: number): Promise<ClockRecord> {
  const first = JSON.stringify(await firstRecord(transaction, nowMs));
  return v.parse(RECORD, JSON.parse(await holdOrStoreSetting(transaction, NAME, first)));
}

/** The record of a new installation, or of a database from a release that stored no heartbeat. */
async function firstRecord(handle: Handle, nowMs: number): Promise<ClockRecord> {
  const probeMs = Number((await selectSetting(handle, 'last_probe')) ?? Number.NaN);
  const times = [probeMs, (await selectNewestAuditMs(handle)) ?? Number.NaN].filter((ms) => ms <= nowMs);
  return { heartbeatMs: times.length > 0 ? Math.max(...times) : nowMs, runningMs: 0, doubt: null };
}
