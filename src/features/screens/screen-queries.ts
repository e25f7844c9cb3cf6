// Queries for screens. A device is found by the hash of its cookie, a rolling code by the hash of the token in its
// path.

import { type RawBuilder, type Selectable, sql } from 'kysely';
import {
  asPrinterId,
  asProfileId,
  asScreenId,
  asSiteId,
  asTermsId,
  asVoucherId,
  type ScreenId,
  type SiteId,
} from '../../kernel/ids.ts';
import { compareNames } from '../../kernel/sites/site-queries.ts';
import { compileOnce, type Placeholders } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/schema.ts';
import { canOpen, type Seal } from '../../platform/secrets/seal.ts';
import type { SealedPlace } from '../../platform/secrets/sealed-columns.ts';
import type { Token } from '../../platform/secrets/token.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import { readKnown, UNKNOWN } from '../../platform/values/unknown-value.ts';
import {
  ASKED_FIELDS,
  type AskedField,
  type NewScreen,
  OFF_SCREEN_MS,
  PAIRING_MS,
  SCREEN_KINDS,
  SCREEN_OFFERS,
  type Screen,
  type ScreenSettings,
  SEEN_EVERY_MS,
  type Sighting,
} from './screen.ts';

type Now = RawBuilder<number>;

const placeOf = (tokenHash: string): SealedPlace => ({
  table: 'screens',
  column: 'sealed_token',
  row: tokenHash,
});

function screens(handle: Handle) {
  return handle
    .selectFrom('screens')
    .innerJoin('sites', 'sites.id', 'screens.site_id')
    .selectAll('screens')
    .select('sites.name as site_name');
}

const byId = compileOnce((handle: Handle, { id }: Placeholders<{ id: ScreenId }>) =>
  screens(handle).where('screens.id', '=', id),
);
const byCookie = compileOnce((handle: Handle, { hash }: Placeholders<{ hash: string }>) =>
  screens(handle).where('cookie_hash', '=', hash),
);
const byToken = compileOnce((handle: Handle, { hash }: Placeholders<{ hash: string }>) =>
  screens(handle).where('token_hash', '=', hash),
);

export async function selectScreens(handle: Handle, siteIds: SiteId[] | undefined): Promise<Screen[]> {
  const rows = await screens(handle).execute();
  const own = siteIds && new Set<number>(siteIds);
  // Sorted here, because the engines sort letters such as ä differently.
  return rows
    .filter(({ site_id }) => own?.has(site_id) ?? true)
    .map(toScreen)
    .sort(
      (one, other) =>
        compareNames(one.siteName, other.siteName) || compareNames(one.name, other.name) || one.id - other.id,
    );
}

export async function selectScreen(handle: Handle, id: ScreenId): Promise<Screen | undefined> {
  const [row] = (await byId(handle, { id })).rows;
  return row && toScreen(row);
}

/** Locks the screen until the transaction ends. Returns the screen as it is then. */
export async function holdScreen(handle: Handle, id: ScreenId): Promise<Screen | undefined> {
  await handle
    .updateTable('screens')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', id)
    .execute();
  return selectScreen(handle, id);
}

export async function selectPairingHashes(handle: Handle, now: RawBuilder<number>): Promise<Set<string>> {
  const rows = await handle
    .selectFrom('screens')
    .select('pairing_hash')
    .where('pairing_until_ms', '>', now)
    .execute();
  return new Set(rows.flatMap(({ pairing_hash }) => pairing_hash ?? []));
}

export async function selectScreenByCookie(handle: Handle, hash: string): Promise<Screen | undefined> {
  const [row] = (await byCookie(handle, { hash })).rows;
  return row && toScreen(row);
}

export async function selectScreenByToken(handle: Handle, hash: string): Promise<Screen | undefined> {
  const [row] = (await byToken(handle, { hash })).rows;
  return row && toScreen(row);
}

export async function selectScreenToken(
  handle: Handle,
  seal: Seal,
  id: ScreenId,
): Promise<string | undefined> {
  const [row] = (await byId(handle, { id })).rows;
  if (!row || row.token_hash === null || row.sealed_token === null) return undefined;
  const place = placeOf(row.token_hash);
  return canOpen(seal, row.sealed_token, place) ? seal.open(row.sealed_token, place) : undefined;
}

/** Returns the id of the screen, and until when its pairing code can be used. */
export async function insertScreen(
  handle: Handle,
  seal: Seal,
  { screen, pairingHash, token, createdAtMs, now }: InsertedScreen,
): Promise<{ id: ScreenId; pairingUntilMs: number }> {
  const { siteId, kind, offers, terms: _, ...settings } = screen;
  const row = await handle
    .insertInto('screens')
    .values({
      site_id: siteId,
      kind,
      offers,
      ...toColumns(settings),
      terms_id: null,
      created_at_ms: createdAtMs,
      pairing_hash: pairingHash,
      pairing_until_ms: sql<number>`${now} + ${PAIRING_MS}`,
      ...(await toTokenColumns(handle, seal, token)),
    })
    .returning(['id', 'pairing_until_ms'])
    .executeTakeFirstOrThrow();
  return { id: asScreenId(row.id), pairingUntilMs: row.pairing_until_ms ?? 0 };
}

interface InsertedScreen {
  screen: NewScreen;
  pairingHash: string;
  token: Token | null;
  createdAtMs: number;
  now: Now;
}

function toColumns({ name, profileIds, asks, printerId, perMinute, perDay, idleMinutes }: Columns) {
  return {
    name,
    profile_ids: profileIds.join(','),
    asks: asks.join(','),
    printer_id: printerId,
    per_minute: perMinute,
    per_day: perDay,
    idle_minutes: idleMinutes,
  };
}

type Columns = Omit<ScreenSettings, 'offers'>;

async function toTokenColumns(handle: Handle, seal: Seal, token: Token | null) {
  if (!token) return { token_hash: null, sealed_token: null };
  return {
    token_hash: token.tokenHash,
    sealed_token: await seal.seal(handle, token.token, placeOf(token.tokenHash)),
  };
}

/** A value of a newer release is not overwritten. */
export async function updateScreen(
  handle: Handle,
  { id, offers, ...settings }: ScreenSettings & { id: ScreenId },
): Promise<void> {
  const row = await handle.selectFrom('screens').select('asks').where('id', '=', id).executeTakeFirst();
  const foreign = split(row?.asks ?? '').filter((field) => readKnown(ASKED_FIELDS, field) === UNKNOWN);
  const columns = toColumns(settings);
  await handle
    .updateTable('screens')
    .set({
      ...columns,
      asks: [...split(columns.asks), ...foreign].join(','),
      ...(offers !== UNKNOWN && { offers }),
    })
    .where('id', '=', id)
    .execute();
}

/** False if the screen has no token. */
export async function updateScreenToken(
  handle: Handle,
  seal: Seal,
  id: ScreenId,
  token: Token,
): Promise<boolean> {
  const { numUpdatedRows } = await handle
    .updateTable('screens')
    .set(await toTokenColumns(handle, seal, token))
    .where('id', '=', id)
    .where('token_hash', 'is not', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Returns until when the code can be used; undefined if there is no such screen. */
export async function updatePairing(
  handle: Handle,
  id: ScreenId,
  { pairingHash, now }: { pairingHash: string; now: Now },
): Promise<number | undefined> {
  const row = await handle
    .updateTable('screens')
    .set({ pairing_hash: pairingHash, pairing_until_ms: sql<number>`${now} + ${PAIRING_MS}` })
    .where('id', '=', id)
    .returning('pairing_until_ms')
    .executeTakeFirst();
  return row?.pairing_until_ms ?? undefined;
}

/**
 * Returns the screen whose pairing code was used up. If two devices use it at the same time, the row is locked by the
 * first, and the second finds no code any more.
 */
export async function pairDevice(
  handle: Handle,
  {
    pairingHash,
    cookieHash,
    seen,
    now,
  }: { pairingHash: string; cookieHash: string; seen: Sighting; now: Now },
): Promise<ScreenId | undefined> {
  const row = await handle
    .updateTable('screens')
    .set({
      pairing_hash: null,
      pairing_until_ms: null,
      cookie_hash: cookieHash,
      paired_at_ms: now,
      ...toSeenColumns(seen, now),
    })
    .where('pairing_hash', '=', pairingHash)
    .where('pairing_until_ms', '>', now)
    // If the clock was set back, the code would otherwise be valid for longer than it should be.
    .where('pairing_until_ms', '<=', sql<number>`${now} + ${PAIRING_MS}`)
    .returning('id')
    .executeTakeFirst();
  return row && asScreenId(row.id);
}

/** False if there was neither a device nor a code. */
export async function unpairDevice(handle: Handle, id: ScreenId): Promise<boolean> {
  const { numUpdatedRows } = await handle
    .updateTable('screens')
    .set({ pairing_hash: null, pairing_until_ms: null, cookie_hash: null, paired_at_ms: null })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('cookie_hash', 'is not', null), eb('pairing_hash', 'is not', null)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function updateSeen(handle: Handle, id: ScreenId, seen: Sighting, now: Now): Promise<void> {
  await handle
    .updateTable('screens')
    .set(toSeenColumns(seen, now))
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('seen_at_ms', 'is', null),
        eb('seen_at_ms', '<=', sql<number>`${now} - ${SEEN_EVERY_MS}`),
        // The clock was set back since.
        eb('seen_at_ms', '>', now),
      ]),
    )
    .execute();
}

function toSeenColumns({ ip, agent }: Sighting, now: Now) {
  return { seen_at_ms: now, seen_ip: ip, seen_agent: toOneLine(agent) };
}

/**
 * Its stock is not handed out any more, and the code that it shows is taken off. Vouchers keep the id of the screen,
 * and its terms stay because they refer to them.
 */
export async function deleteScreen(handle: Handle, id: ScreenId, now: Now): Promise<void> {
  await handle
    .updateTable('stock')
    .set({ state: 'leaving' })
    .where('screen_id', '=', id)
    .where('state', '=', 'ready')
    .execute();
  await handle
    .insertInto('shown_codes')
    .columns(['voucher_id', 'due_at_ms'])
    .expression((eb) =>
      eb
        .selectFrom('screens')
        .innerJoin('vouchers', 'vouchers.id', 'screens.voucher_id')
        .select(['vouchers.id', sql<number>`${now} + ${OFF_SCREEN_MS}`.as('due_at_ms')])
        .where('screens.id', '=', id),
    )
    .onConflict((conflict) => conflict.column('voucher_id').doNothing())
    .execute();
  await handle.deleteFrom('screens').where('id', '=', id).execute();
}

type Row = Selectable<Tables['screens']> & { site_name: string };

function toScreen(row: Row): Screen {
  return {
    id: asScreenId(row.id),
    siteId: asSiteId(row.site_id),
    siteName: row.site_name,
    name: row.name,
    kind: readKnown(SCREEN_KINDS, row.kind),
    offers: readKnown(SCREEN_OFFERS, row.offers),
    profileIds: split(row.profile_ids).map((id) => asProfileId(Number(id))),
    asks: split(row.asks).filter((field): field is AskedField =>
      ASKED_FIELDS.some((known) => known === field),
    ),
    printerId: row.printer_id === null ? null : asPrinterId(row.printer_id),
    perMinute: row.per_minute,
    perDay: row.per_day,
    idleMinutes: row.idle_minutes,
    termsId: row.terms_id === null ? null : asTermsId(row.terms_id),
    pairingUntilMs: row.pairing_until_ms,
    pairedAtMs: row.paired_at_ms,
    seenAtMs: row.seen_at_ms,
    seenIp: row.seen_ip,
    seenAgent: row.seen_agent,
    lookedAtMs: row.looked_at_ms,
    voucherId: row.voucher_id === null ? null : asVoucherId(row.voucher_id),
    shownAtMs: row.shown_at_ms,
  };
}

function split(text: string): string[] {
  return text === '' ? [] : text.split(',');
}
