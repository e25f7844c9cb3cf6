// Shortens the IP addresses of old audit entries and bulk revocations to their network. The settings table remembers
// the last examined audit entry, so that each run continues where the last one ended.

import type { Handle } from '../../platform/database/database.ts';
import { holdOrStoreSetting, upsertSetting } from '../../platform/database/installation-queries.ts';
import { shortenIp } from '../../platform/network/ip.ts';

const PROGRESS = 'ips_shortened_until';
/** An entry up to this far in the future counts as new, because the clocks of two instances may differ a little. */
const AHEAD_MS = 60_000;

/**
 * Processes one slice. Returns true if there may be more. An entry further in the future than AHEAD_MS counts as old,
 * because otherwise all later entries would wait until that time.
 */
export async function shortenIps(
  transaction: Handle,
  { beforeMs, nowMs, limit }: { beforeMs: number; nowMs: number; limit: number },
): Promise<boolean> {
  const entries = await transaction
    .selectFrom('audit')
    .select(['id', 'at_ms', 'address'])
    .where('id', '>', Number(await holdOrStoreSetting(transaction, PROGRESS, '0')))
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

/**
 * Makes the next run begin with the first entry. Call it before entries get other ids: `shortenIps`, which finds
 * entries by their ids, then waits for this transaction.
 */
export async function examineAllAgain(transaction: Handle): Promise<void> {
  await upsertSetting(transaction, PROGRESS, '0');
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
