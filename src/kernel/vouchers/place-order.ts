// For the API: orders one voucher, which exists when the order is placed, or a batch, which is filled in the
// background.

import type { Clock } from '../../platform/time/clock.ts';
import { REQUEST_DEADLINE_MS, type StartDeadline } from '../../platform/time/deadline.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { BatchStore, NewBatch } from '../batches/batch.ts';
import type { FillBatch } from '../batches/create-batch.ts';
import { asKeyId, type BatchId, type VoucherId } from '../ids.ts';
import { includesSite } from '../keys/api-key.ts';
import type { CreationProblem } from '../problem.ts';
import { isFor, type ProfileStore } from '../profiles/profile.ts';
import type { Site, SiteStore } from '../sites/site.ts';
import type { CreateVoucher, Creation, OrderedByKey } from './create-vouchers.ts';
import type { makeFindRefusal } from './find-refusal.ts';
import type { RefuseMany } from './hand-over-way.ts';
import { SOON_S } from './next-search.ts';
import { checkOutOf } from './nights.ts';
import { type OrderRequest, toOrder } from './order-request.ts';
import type { RevokeReplaced } from './replaced-vouchers.ts';
import { findOutOfBounds, type VoucherOrder } from './voucher-order.ts';
import type { IdempotencyTicket, TakenKey, VoucherStore } from './voucher-records.ts';

export type Placed = ({ kind: 'voucher'; id: VoucherId } | { kind: 'batch'; id: BatchId }) & {
  /** True if an earlier request with the same Idempotency-Key placed the order. */
  replayed: boolean;
  /** True if the Idempotency-Key was used before, for vouchers that have all ended. */
  freed: boolean;
};

export type PlacementProblem = CreationProblem | { kind: 'profile-not-found' };

/** Resolves when the voucher exists, or when the batch is stored. */
export type PlaceOrder = (
  request: OrderRequest,
  by: OrderedByKey,
  ticket?: IdempotencyTicket,
) => Promise<Result<Placed, PlacementProblem>>;

type Placement = Result<Placed, PlacementProblem>;

interface Deps {
  sites: Pick<SiteStore, 'findActive'>;
  profiles: Pick<ProfileStore, 'list'>;
  batches: Pick<BatchStore, 'begin' | 'findRepeated'>;
  vouchers: Pick<VoucherStore, 'findResponse'>;
  createVoucher: CreateVoucher;
  findRefusal: ReturnType<typeof makeFindRefusal>;
  refuseMany: RefuseMany;
  fillBatch: FillBatch;
  revokeReplaced: RevokeReplaced;
  /** Returns a promise that never rejects. */
  runInBackground: (work: Promise<unknown>) => Promise<unknown>;
  startDeadline: StartDeadline;
  makeBatchId: () => BatchId;
  clock: Clock;
  timeZone: string;
}

export function makePlaceOrder(deps: Deps): PlaceOrder {
  const { vouchers, batches, createVoucher, clock, revokeReplaced, runInBackground, startDeadline } = deps;
  const resolve = makeResolve(deps);
  const placeBatch = makePlaceBatch(deps);

  return async function placeOrder(request, by, ticket) {
    const { siteId, count } = request;
    if (!includesSite(by.keySites, siteId)) return fail({ kind: 'site-not-found' });
    const nowMs = clock.nowMs();
    const resolved = await resolve(request, nowMs);
    if (!resolved.ok) return (await findEarlier(count, nowMs, ticket)) ?? resolved;
    const { site, order } = resolved.value;
    if (count > 1) return placeBatch(order, { count, site, by, ticket, nowMs });
    if (request.replaces) return placeRebooking(order, by, ticket);
    return toPlacement(await createVoucher(order, by, ticket));
  };

  /** Waits for the revocation of the replaced vouchers only as long as a request may run. */
  async function placeRebooking(
    order: VoucherOrder,
    by: OrderedByKey,
    ticket: IdempotencyTicket | undefined,
  ): Promise<Placement> {
    using deadline = startDeadline(REQUEST_DEADLINE_MS);
    const over = new Promise((resolve) => deadline.signal.addEventListener('abort', resolve));
    const placed = toPlacement(await createVoucher(order, { ...by, purpose: { kind: 'rebooking' } }, ticket));
    if (placed.ok && placed.value.kind === 'voucher')
      await Promise.race([runInBackground(revokeReplaced(placed.value.id)), over]);
    return placed;
  }

  /**
   * The outcome of an earlier request with this ticket, for an order that cannot be placed any more: the site may have
   * become inactive since, or the profile may be gone.
   */
  async function findEarlier(
    count: number,
    nowMs: number,
    ticket: IdempotencyTicket | undefined,
  ): Promise<Placement | undefined> {
    if (!ticket) return undefined;
    if (count > 1) {
      const earlier = await batches.findRepeated(ticket, nowMs);
      if (!earlier?.ok) return earlier && refuse(earlier.problem);
      return 'response' in earlier.value ? replay(earlier.value.response) : undefined;
    }
    const earlier = await vouchers.findResponse(ticket, nowMs);
    if (!earlier?.ok) return earlier && refuse(earlier.problem);
    const id = 'response' in earlier.value ? earlier.value.response.id : undefined;
    return id && ok({ kind: 'voucher', id, replayed: true, freed: false });
  }
}

function toPlacement(creation: Creation): Placement {
  if (!creation.ok) return creation;
  const { id, replayed, freed } = creation.value;
  // Only the other API of an earlier release stores a response without an id. Its requests have other bodies.
  if (id === undefined) return fail({ kind: 'idempotency-key-reused' });
  return ok({ kind: 'voucher', id, replayed, freed });
}

/** The order with the values of its profile, and with the end of its nights. */
function makeResolve({ sites, profiles, timeZone }: Pick<Deps, 'sites' | 'profiles' | 'timeZone'>) {
  return async function resolve(
    request: OrderRequest,
    nowMs: number,
  ): Promise<Result<{ site: Site; order: VoucherOrder }, PlacementProblem>> {
    const { siteId, profileId } = request;
    const site = await sites.findActive(siteId);
    if (!site) return fail({ kind: 'site-not-found' });
    const profile =
      profileId === undefined
        ? undefined
        : (await profiles.list()).find((one) => one.id === profileId && isFor(one, [site.id]));
    if (profileId !== undefined && !profile) return fail({ kind: 'profile-not-found' });
    const order = toOrder(request, { profile, checkOut: checkOutOf(site, timeZone), nowMs });
    const outOfBounds = findOutOfBounds(order);
    return outOfBounds ? fail(outOfBounds) : ok({ site, order });
  };
}

interface BatchRequest {
  count: number;
  site: Site;
  by: OrderedByKey;
  ticket?: IdempotencyTicket | undefined;
  nowMs: number;
}

/** The batch and its Idempotency-Key are stored together, so that repeated requests make one batch. */
function makePlaceBatch(deps: Deps) {
  const { batches, findRefusal, refuseMany, fillBatch, runInBackground, makeBatchId } = deps;
  return async function placeBatch(order: VoucherOrder, request: BatchRequest): Promise<Placement> {
    const { count, site, by, ticket, nowMs } = request;
    const earlier = ticket && (await batches.findRepeated(ticket, nowMs));
    if (earlier && !earlier.ok) return refuse(earlier.problem);
    const repeated = earlier?.value;
    if (repeated && 'response' in repeated) return replay(repeated.response);
    const freed = repeated?.freed;
    const accepted = await findRefusal(order, site);
    if (!accepted.ok) return accepted;
    const refusal = await refuseMany(order, { actor: by.actor, count });
    if (refusal) return fail(refusal);

    const { keySites: _, ...orderedBy } = by;
    const apiKeyId = asKeyId(by.actor.id ?? '');
    const batch: NewBatch = { id: makeBatchId(), apiKeyId, order, wanted: count, createdAtMs: nowMs };
    if (!(await batches.begin(batch, freed ?? ticket))) return findWinner(ticket, nowMs);
    runInBackground(fillBatch(batch, orderedBy));
    return ok({ kind: 'batch', id: batch.id, replayed: false, freed: freed !== undefined });
  };

  /** A request with the same key has taken it in the meantime. */
  async function findWinner(ticket: IdempotencyTicket | undefined, nowMs: number): Promise<Placement> {
    const winner = ticket && (await batches.findRepeated(ticket, nowMs));
    if (winner && !winner.ok) return refuse(winner.problem);
    return winner && 'response' in winner.value
      ? replay(winner.value.response)
      : refuse({ kind: 'idempotency-in-progress' });
  }
}

/** The outcome of a batch is stored with its key, so only an order that is being placed right now is in progress. */
function refuse({ kind }: TakenKey): Placement {
  return fail(kind === 'idempotency-in-progress' ? { kind, retryAfterS: SOON_S } : { kind });
}

function replay(id: BatchId): Placement {
  return ok({ kind: 'batch', id, replayed: true, freed: false });
}
