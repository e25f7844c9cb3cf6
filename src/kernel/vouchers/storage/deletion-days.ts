// How much was deleted since the current day of deletions began, for the daily limits.

import * as v from 'valibot';
import type { Handle } from '../../../platform/database/database.ts';
import {
  countRows,
  holdOrStoreSetting,
  selectSetting,
  upsertSetting,
} from '../../../platform/database/installation-queries.ts';
import { type DeletionDay, isDayOver, type LimitedKind } from '../deletion-limit.ts';

const TABLES = {
  vouchers: 'vouchers',
  batches: 'batches',
  auditRows: 'audit',
  endedVouchers: 'vouchers',
} as const;
const DAYS_SETTING = 'deletions';
const DAY: v.GenericSchema<unknown, DeletionDay> = v.object({
  sinceRunningMs: v.number(),
  rows: v.number(),
  deleted: v.number(),
});
type Days = { [Kind in LimitedKind]?: DeletionDay | undefined };
const DAYS: v.GenericSchema<unknown, Days> = v.partial(
  v.object({ vouchers: DAY, batches: DAY, auditRows: DAY, endedVouchers: DAY }),
);

function readDays(text = '{}'): Days {
  return v.parse(DAYS, JSON.parse(text));
}

export async function selectDays(handle: Handle): Promise<Days> {
  return readDays(await selectSetting(handle, DAYS_SETTING));
}

/**
 * Returns the current day of deletions, or begins a new one. Locks the days, so that two instances do not delete twice
 * as much as one day allows.
 */
export async function holdDay(
  transaction: Handle,
  kind: LimitedKind,
  runningMs: number,
): Promise<DeletionDay> {
  const days = readDays(await holdOrStoreSetting(transaction, DAYS_SETTING, '{}'));
  const stored = days[kind];
  if (stored && !isDayOver(stored, runningMs)) return stored;
  const day = { sinceRunningMs: runningMs, rows: await countRows(transaction, TABLES[kind]), deleted: 0 };
  await writeDays(transaction, { ...days, [kind]: day });
  return day;
}

/** The transaction must have called `holdDay` before. */
export async function addToDay(transaction: Handle, kind: LimitedKind, count: number): Promise<void> {
  const days = await selectDays(transaction);
  const day = days[kind];
  if (day) await writeDays(transaction, { ...days, [kind]: { ...day, deleted: day.deleted + count } });
}

function writeDays(transaction: Handle, days: Days): Promise<void> {
  return upsertSetting(transaction, DAYS_SETTING, JSON.stringify(days));
}
