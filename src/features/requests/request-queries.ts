// Queries for guests' requests. A request whose time is over counts as expired before the clean-up has noted it.

import { type RawBuilder, type Selectable, sql } from 'kysely';
import { readActor } from '../../kernel/audit/actor.ts';
import {
  asGuestRequestId,
  asScreenId,
  asSiteId,
  asTermsId,
  asVoucherId,
  type GuestRequestId,
  type SiteId,
  type UserId,
} from '../../kernel/ids.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/schema.ts';
import { FIRST_LANGUAGE, LANGUAGES } from '../../platform/text/language.ts';
import { readKnown } from '../../platform/values/unknown-value.ts';
import {
  type GuestRequest,
  type NewGuestRequest,
  REQUEST_KEPT_MS,
  REQUEST_MS,
  REQUEST_STATES,
  type RequestBadge,
} from './guest-request.ts';

/** How many decided requests a list shows. */
const MAX_DECIDED = 50;

/** A request that expires later than in this time was sent while the clock was ahead. It counts as expired, too. */
const MAX_LEFT_MS = 2 * REQUEST_MS;

type Clock = RawBuilder<number>;

const isNotOver = (expiresAtMs: RawBuilder<unknown>, now: Clock) =>
  sql<boolean>`${expiresAtMs} > ${now} and ${expiresAtMs} <= ${now} + ${MAX_LEFT_MS}`;

function requests(handle: Handle, now: Clock) {
  return handle
    .selectFrom('guest_requests')
    .innerJoin('sites', 'sites.id', 'guest_requests.site_id')
    .selectAll('guest_requests')
    .select(['sites.name as site_name', now.as('now_ms')])
    .select((eb) =>
      eb
        .selectFrom('guest_requests as others')
        .whereRef('others.site_id', '=', 'guest_requests.site_id')
        .whereRef('others.network_hash', '=', 'guest_requests.network_hash')
        .where('others.state', '=', 'waiting')
        .where(isNotOver(sql.ref('others.expires_at_ms'), now))
        .select((count) => count.fn.countAll<number>().as('count'))
        .as('waiting_of_network'),
    );
}

export async function selectRequest(
  handle: Handle,
  now: Clock,
  by: { id: GuestRequestId } | { tokenHash: string },
): Promise<GuestRequest | undefined> {
  const all = requests(handle, now);
  const row = await ('id' in by
    ? all.where('guest_requests.id', '=', by.id)
    : all.where('token_hash', '=', by.tokenHash)
  ).executeTakeFirst();
  return row && toRequest(row);
}

export async function selectRequests(
  { read, now, listOf }: Pick<Database, 'read' | 'now' | 'listOf'>,
  siteIds: SiteId[],
): Promise<GuestRequest[]> {
  const ofSites = requests(read, now()).where(sql<boolean>`guest_requests.site_id in ${listOf(siteIds)}`);
  const open = await ofSites
    .where('guest_requests.state', 'in', ['waiting', 'approving'])
    .orderBy('guest_requests.id')
    .execute();
  const decided = await ofSites
    .where('guest_requests.state', 'not in', ['waiting', 'approving'])
    .orderBy('guest_requests.id', 'desc')
    .limit(MAX_DECIDED)
    .execute();
  const all = [...open, ...decided].map(toRequest);
  const isOpen = ({ state }: GuestRequest) => state === 'waiting' || state === 'approving';
  return [...all.filter(isOpen), ...all.filter((request) => !isOpen(request))];
}

/** Only active sites count. */
export async function selectBadge(handle: Handle, now: Clock, userId?: UserId): Promise<RequestBadge> {
  const isMine =
    userId === undefined
      ? sql`sites.active = 1`
      : sql`sites.active = 1 and sites.id in (select site_id from user_sites where user_id = ${userId})`;
  const { rows } = await sql<{ waiting: number; is_offered: number }>`
    select
      (select count(*) from sites join guest_requests on guest_requests.site_id = sites.id
        where ${isMine} and guest_requests.state = 'waiting' and ${isNotOver(sql.ref('expires_at_ms'), now)}) as waiting,
      case when
        exists (select 1 from sites join request_pages on request_pages.site_id = sites.id where ${isMine})
        or exists (select 1 from sites join guest_requests on guest_requests.site_id = sites.id where ${isMine})
        or exists (select 1 from sites join screens on screens.site_id = sites.id
          where ${isMine} and screens.kind = 'kiosk' and screens.offers in ('requests', 'both'))
      then 1 else 0 end as is_offered`.execute(handle);
  const [row] = rows;
  return { isOffered: row?.is_offered === 1, waiting: Number(row?.waiting ?? 0) };
}

/** How many requests wait at the site: in all, from its kiosks, and from one network. */
export async function countWaiting(
  handle: Handle,
  now: Clock,
  { siteId, networkHash }: { siteId: SiteId; networkHash: string | null },
): Promise<{ all: number; atKiosks: number; ofNetwork: number }> {
  const row = await handle
    .selectFrom('guest_requests')
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      eb.fn.count<number>('screen_id').as('at_kiosks'),
      eb.fn.countAll<number>().filterWhere('network_hash', '=', networkHash).as('of_network'),
    ])
    .where('site_id', '=', siteId)
    .where('state', '=', 'waiting')
    .where(isNotOver(sql.ref('expires_at_ms'), now))
    .executeTakeFirstOrThrow();
  return { all: Number(row.all), atKiosks: Number(row.at_kiosks), ofNetwork: Number(row.of_network) };
}

/** The request with this token, at whichever site. */
export async function selectByToken(
  handle: Handle,
  tokenHash: string,
): Promise<{ id: GuestRequestId; siteId: SiteId } | undefined> {
  const row = await handle
    .selectFrom('guest_requests')
    .select(['id', 'site_id'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row && { id: asGuestRequestId(row.id), siteId: asSiteId(row.site_id) };
}

export async function insertRequest(
  handle: Handle,
  now: Clock,
  { terms, ...request }: NewGuestRequest & { tokenHash: string; networkHash: string | null },
): Promise<GuestRequestId> {
  const { id } = await handle
    .insertInto('guest_requests')
    .values({
      site_id: request.siteId,
      screen_id: request.screenId,
      name: request.name,
      host: request.host,
      note: request.note,
      language: request.language,
      token_hash: request.tokenHash,
      state: 'waiting',
      terms_id: terms?.termsId ?? null,
      terms_accepted_at_s: terms?.acceptedAtS ?? null,
      network_hash: request.networkHash,
      created_at_ms: now,
      expires_at_ms: sql<number>`${now} + ${REQUEST_MS}`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return asGuestRequestId(id);
}

/** The site of the request; undefined if it does not wait any more. */
export async function updateDeclined(
  handle: Handle,
  now: Clock,
  { id, reason, decidedBy }: { id: GuestRequestId; reason: string | null; decidedBy: string },
): Promise<SiteId | undefined> {
  const row = await handle
    .updateTable('guest_requests')
    .set({ state: 'declined', reason, decided_by: decidedBy, decided_at_ms: now, network_hash: null })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where(isNotOver(sql.ref('expires_at_ms'), now))
    .returning('site_id')
    .executeTakeFirst();
  return row && asSiteId(row.site_id);
}

/** The requests that may still wait at the site of this request and came from its network, itself included. */
export async function selectNetworkOf(handle: Handle, id: GuestRequestId): Promise<GuestRequestId[]> {
  const rows = await handle
    .selectFrom('guest_requests as one')
    .innerJoin('guest_requests as other', (join) =>
      join.onRef('other.site_id', '=', 'one.site_id').onRef('other.network_hash', '=', 'one.network_hash'),
    )
    .select('other.id')
    .where('one.id', '=', id)
    .orderBy('other.id')
    .execute();
  return rows.map((row) => asGuestRequestId(row.id));
}

/**
 * Also lets a request wait again if it is being approved without an open order, which happens only after the orders
 * were lost, for example with a restored backup. Requests are deleted if both clocks say that their time is over.
 */
export async function expireRequests(handle: Handle, now: Clock, trustedMs: number): Promise<void> {
  await handle
    .updateTable('guest_requests')
    .set({ state: 'waiting', decided_by: null })
    .where('state', '=', 'approving')
    .where(
      sql<boolean>`not exists (
        select 1 from intents where purpose = 'request' and purpose_id = guest_requests.id)`,
    )
    .execute();
  await handle
    .updateTable('guest_requests')
    .set((eb) => ({ state: 'expired', decided_at_ms: eb.ref('expires_at_ms'), network_hash: null }))
    .where('state', '=', 'waiting')
    .where('expires_at_ms', '<=', now)
    .execute();
  await handle
    .updateTable('guest_requests')
    .set({ state: 'expired', decided_at_ms: now, network_hash: null })
    .where('state', '=', 'waiting')
    .where('expires_at_ms', '>', sql<number>`${now} + ${MAX_LEFT_MS}`)
    .execute();
  // Decided while the clock was ahead.
  await handle
    .updateTable('guest_requests')
    .set({ decided_at_ms: now })
    .where('decided_at_ms', '>', now)
    .execute();
  await handle
    .deleteFrom('guest_requests')
    .where('state', '<>', 'approving')
    .where('decided_at_ms', '<=', sql<number>`${now} - ${REQUEST_KEPT_MS}`)
    .where('decided_at_ms', '<=', trustedMs - REQUEST_KEPT_MS)
    .execute();
}

type Row = Selectable<Tables['guest_requests']> & {
  site_name: string;
  now_ms: number;
  waiting_of_network: number | null;
};

function toRequest(row: Row): GuestRequest {
  const leftMs = row.expires_at_ms - row.now_ms;
  const isOver = row.state === 'waiting' && (leftMs <= 0 || leftMs > MAX_LEFT_MS);
  return {
    id: asGuestRequestId(row.id),
    siteId: asSiteId(row.site_id),
    siteName: row.site_name,
    screenId: row.screen_id === null ? null : asScreenId(row.screen_id),
    name: row.name,
    host: row.host,
    note: row.note,
    language: LANGUAGES.find((language) => language === row.language) ?? FIRST_LANGUAGE,
    state: isOver ? 'expired' : readKnown(REQUEST_STATES, row.state),
    reason: row.reason,
    voucherId: row.voucher_id === null ? null : asVoucherId(row.voucher_id),
    decidedBy: row.decided_by === null ? null : readActor(row.decided_by, null),
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    waitingOfNetwork: row.state === 'waiting' && !isOver ? Number(row.waiting_of_network ?? 0) : 0,
    decidedAtMs: isOver ? Math.min(row.expires_at_ms, row.now_ms) : row.decided_at_ms,
    ...(row.terms_id !== null &&
      row.terms_accepted_at_s !== null && {
        terms: { termsId: asTermsId(row.terms_id), acceptedAtS: row.terms_accepted_at_s },
      }),
  };
}
