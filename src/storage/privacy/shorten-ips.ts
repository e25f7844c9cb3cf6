// Shortens the IP addresses of old audit entries and bulk revocations to their network. The settings table remembers
// the last examined audit entry, so that each run continues where the last one ended.

import { shortenIp } from '../../domain/ip.ts';
import type { Handle } from '../database.ts';
import { selectSetting, upsertSetting } from '../settings/installation-queries.ts';

const PROGRESS = 'ips_shortened_until';
/** The clocks of two instances may differ a little. */
const AHEAD_MS = 60_000;

/**
 * One slice; true if more may follow. An entry that was written while a clock was ahead counts as old: otherwise all
 * later entries would wait for its date.
 */
export async function shortenIps(
  transaction: Handle,
  { beforeMs, nowMs, limit }: { beforeMs: number; nowMs: number; limit: number },
): Promise<boolean> {
  const entries = await transaction
    .selectFrom('audit')
    .select(['id', 'at_ms', 'address'])
    .where('id', '>', Number((await selectSetting(transaction, PROGRESS)) ?? 0))
    .orderBy('id')
    .limit(limit)
    .execute();
  const firstNew = entries.findIndex(({ at_ms }) => at_ms >= beforeMs && at_ms <= nowMs + AHEAD_MS);
  const old = firstNew < 0 ? entries : entries.slice(0, firstNew);
  for (const { id, address } of old)
    if (address !== null)
      await transaction
        .updateTable('audit')
        .set({ address: shortenIp(address) })
        .where('id', '=', id)
        .execute();
  const last = old.at(-1);
  if (last) await upsertSetting(transaction, PROGRESS, String(last.id));
  if (old.length === limit) return true;
  await shortenInRevocations(transaction, beforeMs);
  return false;
}

/** Old entries were inserted before the last examined one: the next run begins with the first entry. */
export async function examineAllAgain(transaction: Handle): Promise<void> {
  await transaction.deleteFrom('settings').where('name', '=', PROGRESS).execute();
}

async function shortenInRevocations(transaction: Handle, beforeMs: number): Promise<void> {
  const revocations = await transaction
    .selectFrom('bulk_revocations')
    .select(['id', 'address'])
    .where('created_at_ms', '<', beforeMs)
    .where('address', 'not like', '%/%')
    .execute();
  for (const { id, address } of revocations)
    await transaction
      .updateTable('bulk_revocations')
      .set({ address: shortenIp(address) })
      .where('id', '=', id)
      .execute();
}
