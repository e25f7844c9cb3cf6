// Queries for the places of a screen: how many vouchers it may hand out per minute and per day. An open intent of the
// screen counts like a voucher, so a place is free again when the intent is abandoned.

import { sql } from 'kysely';
import { asScreenId, type IntentId, type ScreenId, type SiteId } from '../../kernel/ids.ts';
import type { OrderProblems } from '../../kernel/problem.ts';
import type { PurposeSteps } from '../../kernel/vouchers/storage/purpose-steps.ts';
import type { Database, Handle } from '../../platform/database/database.ts';

export const MINUTE_S = 60;
export const DAY_S = 24 * 60 * 60;
/** When to try again if orders that have not ended yet take all places. */
const SOON_S = 5;

export interface ScreenLimits {
  perMinute: number;
  perDay: number;
  nowMs: number;
}

type Engine = Pick<Database, 'now' | 'lockedRows'>;

declare module '../../kernel/vouchers/order-purpose.ts' {
  interface OrderPurposes {
    /** A guest orders at a screen. The intent takes one of the places that the screen has per minute and day. */
    screen: { kind: 'screen'; screenId: ScreenId };
  }
}

declare module '../../kernel/problem.ts' {
  interface OrderProblems {
    /** The screen has no place left. `retryAfterS` says when a place becomes free. */
    'screen-limit': { kind: 'screen-limit'; retryAfterS: number };
    'screen-gone': { kind: 'screen-gone' };
  }
}

/** The voucher takes the place over from the intent. The place is free when the intent is gone. */
export const screenPurpose: PurposeSteps = {
  toId: (purpose) => (purpose.kind === 'screen' ? purpose.screenId : undefined),
  read: (kind, id) => (kind === 'screen' ? { kind, screenId: asScreenId(id) } : undefined),
  screenOf: (purpose) => (purpose.kind === 'screen' ? purpose.screenId : undefined),
  takePlace: async (transaction, { purpose, siteId }, database) =>
    purpose?.kind === 'screen'
      ? findScreenProblem(transaction, { screenId: purpose.screenId, siteId }, database)
      : undefined,
};

/** Locks the screen until the transaction ends, so that its places are counted by one transaction after another. */
export async function lockScreen(
  transaction: Handle,
  { screenId, siteId }: { screenId: ScreenId; siteId: SiteId },
  { now, lockedRows }: Engine,
): Promise<ScreenLimits | undefined> {
  const row = await transaction
    // Names the table of vouchers first, because a migration locks that table first, and another order could deadlock.
    .with('nothing', (part) => part.selectFrom('vouchers').select('id').where(sql<boolean>`false`))
    .selectFrom('screens')
    .select(['per_minute', 'per_day'])
    .select(now().as('now_ms'))
    .where('id', '=', screenId)
    .where('site_id', '=', siteId)
    .modifyEnd(lockedRows())
    .executeTakeFirst();
  return row && { perMinute: row.per_minute, perDay: row.per_day, nowMs: row.now_ms };
}

/** Why a screen cannot hand out one more voucher. Locks the screen, so the answer holds until the transaction ends. */
export async function findScreenProblem(
  transaction: Handle,
  screen: { screenId: ScreenId; siteId: SiteId; except?: readonly IntentId[] },
  engine: Engine,
): Promise<OrderProblems['screen-limit' | 'screen-gone'] | undefined> {
  const limits = await lockScreen(transaction, screen, engine);
  if (!limits) return { kind: 'screen-gone' };
  const { perMinute, perDay, nowMs } = limits;
  const { screenId, except } = screen;
  const window = { screenId, nowMs, ...(except && { except }) };
  const retryAfterS =
    (await findWait(transaction, { ...window, limit: perDay, windowS: DAY_S })) ??
    (await findWait(transaction, { ...window, limit: perMinute, windowS: MINUTE_S }));
  return retryAfterS === undefined ? undefined : { kind: 'screen-limit', retryAfterS };
}

interface Window {
  screenId: ScreenId;
  /** The number of vouchers that the screen may hand out in the window. */
  limit: number;
  windowS: number;
  nowMs: number;
  /** Intents that give their place to the voucher that is handed out now. */
  except?: readonly IntentId[];
}

/** In how many seconds a place becomes free. Undefined if one is free now. */
export async function findWait(
  transaction: Handle,
  { screenId, limit, windowS, nowMs, except = [] }: Window,
): Promise<number | undefined> {
  const nowS = Math.floor(nowMs / 1000);
  let intents = transaction
    .selectFrom('intents')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('purpose', '=', 'screen')
    .where('purpose_id', '=', screenId)
    // The window is the same as for vouchers, because intents stay open for long while the controller is away.
    .where('created_at_ms', '>', nowMs - windowS * 1000)
    .where('created_at_ms', '<=', nowMs + windowS * 1000);
  if (except.length > 0) intents = intents.where('id', 'not in', except);
  const { open } = await intents.executeTakeFirstOrThrow();
  if (Number(open) >= limit) return SOON_S;
  const oldest = await transaction
    .selectFrom('vouchers')
    .select('created_at_s')
    .where('screen_id', '=', screenId)
    .where('created_at_s', '>', nowS - windowS)
    // If the clock was ahead for a while, vouchers from that time do not block the screen until the clock is there.
    .where('created_at_s', '<=', nowS + windowS)
    .orderBy('created_at_s', 'desc')
    .offset(limit - Number(open) - 1)
    .limit(1)
    .executeTakeFirst();
  return oldest && Math.min(windowS, Math.max(1, oldest.created_at_s + windowS - nowS));
}

/** The vouchers of the last 24 hours, by screen. */
export async function countVouchersOfScreens(
  handle: Handle,
  ids: ScreenId[],
  now: ReturnType<Database['now']>,
): Promise<Map<ScreenId, number>> {
  if (ids.length === 0) return new Map();
  const rows = await handle
    .selectFrom('vouchers')
    .select((eb) => ['screen_id', eb.fn.countAll<number>().as('count')] as const)
    .where('screen_id', 'in', ids)
    .where('created_at_s', '>', sql<number>`${now} / 1000 - ${DAY_S}`)
    .where('created_at_s', '<=', sql<number>`${now} / 1000 + ${DAY_S}`)
    .groupBy('screen_id')
    .execute();
  return new Map(rows.map(({ screen_id, count }) => [asScreenId(Number(screen_id)), Number(count)]));
}
