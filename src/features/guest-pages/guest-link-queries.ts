// Queries for guest links, which open guest pages. The tokens are sealed; links are found by the hash of their token.

import { sql } from 'kysely';
import { asSiteId, asVoucherId, type VoucherId } from '../../kernel/ids.ts';
import { compileOnce, type Placeholders } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';
import { canOpen, type Seal } from '../../platform/secrets/seal.ts';
import type { SealedPlace } from '../../platform/secrets/sealed-columns.ts';
import type { Token } from '../../platform/secrets/token.ts';
import type { GuestLink, LinkedVoucher } from './guest-link.ts';

const placeOf = (voucherId: VoucherId): SealedPlace => ({
  table: 'guest_links',
  column: 'sealed_token',
  row: voucherId,
});

const byHash = compileOnce((handle: Handle, { tokenHash }: Placeholders<{ tokenHash: string }>) =>
  handle
    .selectFrom('guest_links')
    .innerJoin('vouchers', 'vouchers.id', 'guest_links.voucher_id')
    .select(['vouchers.id', 'vouchers.site_id'])
    .where('token_hash', '=', tokenHash),
);

export async function selectLinkedVoucher(
  handle: Handle,
  tokenHash: string,
): Promise<LinkedVoucher | undefined> {
  const [row] = (await byHash(handle, { tokenHash })).rows;
  return row && { id: asVoucherId(row.id), siteId: asSiteId(row.site_id) };
}

function selectRow(handle: Handle, voucherId: VoucherId) {
  return handle
    .selectFrom('guest_links')
    .select(['sealed_token', 'opened_at_ms'])
    .where('voucher_id', '=', voucherId)
    .executeTakeFirst();
}

/** Undefined also if the stored link cannot be opened: then a new one can be made. */
export async function selectLink(
  handle: Handle,
  seal: Seal,
  voucherId: VoucherId,
): Promise<GuestLink | undefined> {
  const row = await selectRow(handle, voucherId);
  const place = placeOf(voucherId);
  if (!row || !canOpen(seal, row.sealed_token, place)) return undefined;
  return { token: seal.open(row.sealed_token, place), openedAtMs: row.opened_at_ms };
}

export async function selectTokenHashes(handle: Handle, maxLinks: number): Promise<Set<string> | undefined> {
  const rows = await handle
    .selectFrom('guest_links')
    .select('token_hash')
    .limit(maxLinks + 1)
    .execute();
  return rows.length > maxLinks ? undefined : new Set(rows.map(({ token_hash }) => token_hash));
}

interface NewLink extends Token {
  voucherId: VoucherId;
  createdAtMs: number;
}

async function toColumns(handle: Handle, seal: Seal, { voucherId, token, tokenHash, createdAtMs }: NewLink) {
  return {
    token_hash: tokenHash,
    sealed_token: await seal.seal(handle, token, placeOf(voucherId)),
    created_at_ms: createdAtMs,
    opened_at_ms: null,
  };
}

/** False if the voucher has a link. A link that cannot be opened is replaced. */
export async function insertLink(handle: Handle, seal: Seal, link: NewLink): Promise<boolean> {
  const columns = await toColumns(handle, seal, link);
  await deleteBrokenLink(handle, seal, link.voucherId);
  const { numInsertedOrUpdatedRows = 0n } = await handle
    .insertInto('guest_links')
    .values({ voucher_id: link.voucherId, ...columns })
    .onConflict((conflict) => conflict.column('voucher_id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

async function deleteBrokenLink(handle: Handle, seal: Seal, voucherId: VoucherId): Promise<void> {
  const row = await selectRow(handle, voucherId);
  if (!row || canOpen(seal, row.sealed_token, placeOf(voucherId))) return;
  await handle
    .deleteFrom('guest_links')
    .where('voucher_id', '=', voucherId)
    .where('sealed_token', '=', row.sealed_token)
    .execute();
}

/** False if the voucher has no link. */
export async function updateLink(handle: Handle, seal: Seal, link: NewLink): Promise<boolean> {
  const { numUpdatedRows } = await handle
    .updateTable('guest_links')
    .set(await toColumns(handle, seal, link))
    .where('voucher_id', '=', link.voucherId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteLink(handle: Handle, voucherId: VoucherId): Promise<boolean> {
  const { numDeletedRows } = await handle
    .deleteFrom('guest_links')
    .where('voucher_id', '=', voucherId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

const isOpenedBefore = compileOnce(
  (handle: Handle, { voucherId, hourMs }: Placeholders<{ voucherId: VoucherId; hourMs: number }>) =>
    handle
      .selectFrom('guest_links')
      .select('voucher_id')
      .where('voucher_id', '=', voucherId)
      .where((eb) => eb.or([eb('opened_at_ms', 'is', null), eb('opened_at_ms', '<', hourMs)])),
);

export async function isNewHour(handle: Handle, voucherId: VoucherId, hourMs: number): Promise<boolean> {
  return (await isOpenedBefore(handle, { voucherId, hourMs })).rows.length > 0;
}

export async function updateOpened(handle: Handle, voucherId: VoucherId, hourMs: number): Promise<void> {
  await handle
    .updateTable('guest_links')
    .set({ opened_at_ms: hourMs })
    .where('voucher_id', '=', voucherId)
    .execute();
}

/** `ended_at_s` alone is not enough: vouchers that end by themselves may never get it. */
export async function deleteEndedLinks(handle: Handle, beforeS: number): Promise<void> {
  const ended = handle
    .selectFrom('guest_links')
    .innerJoin('vouchers', 'vouchers.id', 'guest_links.voucher_id')
    .select('voucher_id')
    .where(
      sql<boolean>`(ended_at_s < ${beforeS} or ends_at_s < ${beforeS}
        or first_used_at_s + expire_minutes * 60 < ${beforeS})`,
    );
  await handle.deleteFrom('guest_links').where('voucher_id', 'in', ended).execute();
}
