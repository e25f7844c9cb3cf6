// The staff decide on the request of a guest: a voucher is created, or the guest is told that there is none. Of two
// users who decide at the same time, only the first decides, and the other is told who it was.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { GuestRequestId, ProfileId, UserId } from '../../kernel/ids.ts';
import type { CreationProblem } from '../../kernel/problem.ts';
import { isFor, type Profile, type ProfileStore } from '../../kernel/profiles/profile.ts';
import type { Site } from '../../kernel/sites/site.ts';
import type { CreateVouchers } from '../../kernel/vouchers/create-vouchers.ts';
import { checkOutAfterS, checkOutOf } from '../../kernel/vouchers/nights.ts';
import {
  DEFAULT_EXPIRE_MINUTES,
  DEFAULT_MAX_USES,
  type VoucherOrder,
} from '../../kernel/vouchers/voucher-order.ts';
import type { CreatedVoucher } from '../../kernel/vouchers/voucher-records.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { HandOutReserve, ReserveProblem } from '../reserve/hand-out-reserve.ts';
import type { ObserveRequest } from './ask.ts';
import type { GuestRequest, GuestRequestStore } from './guest-request.ts';

const STANDARD_LIMITS = {
  maxUses: DEFAULT_MAX_USES,
  expireMinutes: DEFAULT_EXPIRE_MINUTES,
  downKbps: 0,
  upKbps: 0,
  quotaMb: 0,
};

export interface DecidedBy extends AuditContext {
  /** The owner of the voucher. */
  userId?: UserId;
  requestId?: string;
}

export type ApprovalProblem =
  | { kind: 'profile-not-found' }
  /** The request as it is now. */
  | { kind: 'request-decided'; request: GuestRequest | undefined }
  /** The request waits again, unless the outcome is open. */
  | { kind: 'not-created'; problem: CreationProblem; isOpen: boolean };

/** Without a profile, the voucher gets the default limits. */
export type ApproveRequest = (
  request: GuestRequest,
  profileId: ProfileId | null,
  by: DecidedBy,
) => Promise<Result<CreatedVoucher, ApprovalProblem>>;

/** Gives the guest a voucher of the reserve, for example while the console is away. */
export type ApproveFromReserve = (
  request: GuestRequest,
  by: DecidedBy,
) => Promise<Result<CreatedVoucher, ReserveApprovalProblem>>;

export type ReserveApprovalProblem =
  | Extract<ApprovalProblem, { kind: 'request-decided' }>
  | { kind: 'no-reserve'; problem: ReserveProblem };

/** With `isForNetwork`, also all other waiting requests from the same network. Returns how many were declined. */
export type DeclineRequest = (
  id: GuestRequestId,
  decision: { reason: string | null; isForNetwork?: boolean },
  by: DecidedBy,
) => Promise<Result<number, Extract<ApprovalProblem, { kind: 'request-decided' }>>>;

interface Deps {
  guestRequests: Pick<GuestRequestStore, 'find' | 'decline' | 'declineNetwork'>;
  sites: { findActive(id: Site['id']): Promise<Site | undefined> };
  profiles: Pick<ProfileStore, 'list'>;
  createVouchers: CreateVouchers;
  observe: ObserveRequest;
  clock: Clock;
  timeZone: string;
  log: Log;
}

export function makeApproveRequest(deps: Deps): ApproveRequest {
  const { guestRequests, sites, profiles, createVouchers, observe, clock, timeZone, log } = deps;

  return async function approveRequest(asked, profileId, { actor, ip, userId, requestId }) {
    const request = await guestRequests.find(asked.id);
    if (request?.state !== 'waiting') return fail({ kind: 'request-decided', request });
    const profile = profileId === null ? null : (await profiles.list()).find(({ id }) => id === profileId);
    if (profile === undefined || (profile && !isFor(profile, [request.siteId])))
      return fail({ kind: 'profile-not-found' });
    const order = await toOrder(request, profile);
    const { created, problem, isOpen } = await createVouchers(order, 1, {
      actor,
      ...(ip !== undefined && { ip }),
      ...(userId !== undefined && { userId }),
      ...(requestId !== undefined && { requestId }),
      purpose: { kind: 'request', requestId: request.id },
      ...(request.terms && { terms: request.terms }),
    });
    const [voucher] = created;
    const line = { requestId, siteId: request.siteId, guestRequest: request.id };
    if (voucher) {
      observe('approved');
      log.info(line, 'request of a guest approved');
      return ok(voucher);
    }
    if (problem?.kind === 'request-decided')
      return fail({ kind: 'request-decided', request: await guestRequests.find(request.id) });
    observe('not-approved');
    log.warn({ ...line, problem }, 'request of a guest not approved: no voucher was created');
    return fail({
      kind: 'not-created',
      problem: problem ?? { kind: 'no-valid-voucher' },
      isOpen: isOpen === true,
    });
  };

  async function toOrder(
    { siteId, name, host }: GuestRequest,
    profile: Profile | null,
  ): Promise<VoucherOrder> {
    const { maxUses, expireMinutes, downKbps, upKbps, quotaMb } = profile ?? STANDARD_LIMITS;
    const site = profile?.nights === undefined ? undefined : await sites.findActive(siteId);
    const endsAtS =
      site && profile?.nights !== undefined
        ? checkOutAfterS(clock.nowMs(), profile.nights, checkOutOf(site, timeZone))
        : undefined;
    const labels = { ...(host !== '' && { note: host }), ...(profile && { profileId: profile.id }) };
    return {
      siteId,
      name,
      maxUses,
      expireMinutes,
      downKbps,
      upKbps,
      quotaMb,
      ...(endsAtS !== undefined && { endsAtS }),
      ...(Object.keys(labels).length > 0 && { labels }),
    };
  }
}

export function makeApproveFromReserve({
  guestRequests,
  handOutReserve,
  observe,
}: Pick<Deps, 'guestRequests' | 'observe'> & { handOutReserve: HandOutReserve }): ApproveFromReserve {
  return async function approveFromReserve({ id, siteId, name, host, terms }, { atMs: _, ...by }) {
    const order = {
      siteId,
      name,
      ...(host !== '' && { labels: { note: host } }),
      ...(terms && { terms }),
      guestRequestId: id,
    };
    const handedOut = await handOutReserve(order, by);
    if (handedOut.ok) {
      observe('approved');
      return handedOut;
    }
    if (handedOut.problem.kind === 'request-decided')
      return fail({ kind: 'request-decided', request: await guestRequests.find(id) });
    observe('not-approved');
    return fail({ kind: 'no-reserve', problem: handedOut.problem });
  };
}

export function makeDeclineRequest({
  guestRequests,
  observe,
  log,
}: Pick<Deps, 'guestRequests' | 'observe' | 'log'>): DeclineRequest {
  return async function declineRequest(
    id,
    { reason, isForNetwork = false },
    { requestId, userId, ...audit },
  ) {
    const ofNetwork = isForNetwork ? await guestRequests.declineNetwork(id, reason, audit) : 0;
    // A request from a kiosk has no network.
    const count = ofNetwork > 0 ? ofNetwork : (await guestRequests.decline(id, reason, audit)) ? 1 : 0;
    if (count === 0) return fail({ kind: 'request-decided', request: await guestRequests.find(id) });
    for (let n = 0; n < count; n++) observe('declined');
    log.info({ requestId, guestRequest: id, count }, 'request of a guest declined');
    return ok(count);
  };
}
