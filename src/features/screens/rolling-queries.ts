// Queries for rolling codes: screens with the voucher that they show.

import { type RawBuilder, sql } from 'kysely';
import { asProfileId, asScreenId, asSiteId, asVoucherId, type ScreenId } from '../../kernel/ids.ts';
import { DEMO_KIND } from '../../kernel/sites/site.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import { LOOK_EVERY_MS, type RollingScreen } from './rolling-code.ts';
import { OFF_SCREEN_MS, SHOWN_MS } from './screen.ts';

type Now = RawBuilder<number>;

/**
 * Begins with the screens: SQLite would read all vouchers otherwise. Vouchers are named before that, because a
 * migration locks their table first, and another order could deadlock.
 */
function rollingScreens(handle: Handle, now: Now) {
  return handle
    .with('nothing', (part) => part.selectFrom('vouchers').select('id').where(sql<boolean>`false`))
    .selectFrom('screens')
    .innerJoin('sites', 'sites.id', 'screens.site_id')
    .leftJoin('vouchers', 'vouchers.id', 'screens.voucher_id')
    .where('screens.kind', '=', 'rolling')
    .select([
      'screens.id',
      'screens.name',
      'screens.site_id',
      'screens.profile_ids',
      'screens.idle_minutes',
      'screens.looked_at_ms',
      'screens.shown_at_ms',
      'sites.name as site_name',
      'sites.active',
      'sites.controller_kind',
      'sites.time_zone',
      'vouchers.id as voucher_id',
      'vouchers.code',
      'vouchers.name as voucher_name',
      'vouchers.max_uses',
      'vouchers.expire_minutes',
      'vouchers.down_kbps',
      'vouchers.up_kbps',
      'vouchers.quota_mb',
      'vouchers.used_count',
      'vouchers.created_at_s',
      'vouchers.first_used_at_s',
      'vouchers.ended_at_s',
      'vouchers.ends_at_s',
      'vouchers.revoked_at_s',
      now.as('now_ms'),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof rollingScreens>['executeTakeFirstOrThrow']>>;

export async function selectRollingScreen(
  handle: Handle,
  id: ScreenId,
  now: Now,
): Promise<RollingScreen | undefined> {
  const row = await rollingScreens(handle, now).where('screens.id', '=', id).executeTakeFirst();
  return row && toRollingScreen(row);
}

export async function selectRollingScreenByToken(
  handle: Handle,
  tokenHash: string,
  now: Now,
): Promise<RollingScreen | undefined> {
  const row = await rollingScreens(handle, now)
    .where('screens.token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row && toRollingScreen(row);
}

export async function selectRollingHashes(handle: Handle): Promise<Set<string>> {
  const rows = await handle
    .selectFrom('screens')
    .select('token_hash')
    .where('token_hash', 'is not', null)
    .execute();
  return new Set(rows.map(({ token_hash }) => token_hash ?? ''));
}

/** A look that is stored as later than now was stored while the clock was ahead. */
export async function updateLook(handle: Handle, id: ScreenId, now: Now): Promise<void> {
  await handle
    .updateTable('screens')
    .set({ looked_at_ms: now })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('looked_at_ms', 'is', null),
        eb('looked_at_ms', '<=', sql<number>`${now} - ${LOOK_EVERY_MS}`),
        eb('looked_at_ms', '>', now),
      ]),
    )
    .execute();
}

/** From now on the screen shows this voucher, or none. */
export async function updateShown(
  handle: Handle,
  id: ScreenId,
  shown: { voucherId: number; atMs: number } | null,
): Promise<void> {
  await handle
    .updateTable('screens')
    .set({ voucher_id: shown?.voucherId ?? null, shown_at_ms: shown?.atMs ?? null })
    .where('id', '=', id)
    .execute();
}

/** The voucher is revoked later if nobody uses it until then. */
export async function insertShownCode(handle: Handle, voucherId: number, nowMs: number): Promise<void> {
  await handle
    .insertInto('shown_codes')
    .values({ voucher_id: voucherId, due_at_ms: nowMs + OFF_SCREEN_MS })
    .onConflict((conflict) => conflict.column('voucher_id').doNothing())
    .execute();
}

/** Screens that show a code which is a day old, and at which nobody has looked for their idle time. Locks them. */
export async function selectUnseen(
  transaction: Handle,
  trustedMs: number,
  { now, lockedRows }: Pick<Database, 'now' | 'lockedRows'>,
): Promise<ScreenId[]> {
  const rows = await transaction
    .selectFrom('screens')
    .select('id')
    .where('voucher_id', 'is not', null)
    .where('shown_at_ms', '<=', sql<number>`${now()} - ${SHOWN_MS}`)
    .where('shown_at_ms', '<=', trustedMs - SHOWN_MS)
    .where((eb) =>
      eb.or([
        eb('looked_at_ms', 'is', null),
        eb('looked_at_ms', '<=', sql<number>`${now()} - idle_minutes * 60000`),
      ]),
    )
    .orderBy('id')
    .modifyEnd(lockedRows())
    .execute();
  return rows.map(({ id }) => asScreenId(id));
}

function toRollingScreen(row: Row): RollingScreen {
  return {
    id: asScreenId(row.id),
    name: row.name,
    siteId: asSiteId(row.site_id),
    siteName: row.site_name,
    siteTimeZone: row.time_zone,
    isSiteActive: row.active === 1,
    isDemo: row.controller_kind === DEMO_KIND,
    profileIds: row.profile_ids === '' ? [] : row.profile_ids.split(',').map((id) => asProfileId(Number(id))),
    idleMinutes: row.idle_minutes,
    lookedAtMs: row.looked_at_ms,
    shown: toShown(row),
    shownAtMs: row.shown_at_ms,
    nowMs: row.now_ms,
  };
}

/** Without a voucher, all its columns are null. */
function toShown(row: Row): RollingScreen['shown'] {
  if (row.voucher_id === null) return null;
  return {
    id: asVoucherId(row.voucher_id),
    code: row.code ?? '',
    name: row.voucher_name ?? '',
    maxUses: row.max_uses ?? 0,
    expireMinutes: row.expire_minutes ?? 0,
    downKbps: row.down_kbps ?? 0,
    upKbps: row.up_kbps ?? 0,
    quotaMb: row.quota_mb ?? 0,
    usedCount: row.used_count ?? 0,
    createdAtS: row.created_at_s ?? 0,
    firstUsedAtS: row.first_used_at_s,
    endedAtS: row.ended_at_s,
    endsAtS: row.ends_at_s,
    revokedAtS: row.revoked_at_s,
  };
}
