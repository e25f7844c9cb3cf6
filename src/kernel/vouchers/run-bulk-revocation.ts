// Carries out a bulk revocation: all sites at the same time, and a few vouchers of each site at a time. Each voucher is
// revoked like a single one. Its revocation and its outcome are one transaction, so that a repeated run continues where
// the last one stopped.

import { joinSignals } from '../../platform/concurrency/join-signals.ts';
import type { WithLease } from '../../platform/leases/leases.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import { type Clock, toWholeSeconds } from '../../platform/time/clock.ts';
import { DatabaseUnavailable } from '../../platform/values/database-unavailable.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import { userActor } from '../audit/actor.ts';
import { type ControllerFailure, isRefusalOfOne } from '../controllers/controller.ts';
import type { BulkRevocationId, SiteId } from '../ids.ts';
import type { HasSites } from '../sites/sites-for.ts';
import type { AwaitingVoucher, BulkRevocation, BulkRevocationStore } from './bulk-revocation.ts';
import { asksForPause, type RevokeVoucher } from './revoke-voucher.ts';
import { hasEnded, stateOf, wasUsed } from './voucher-state.ts';

/** Half of the calls that a controller takes at once: the other half stays free for new vouchers. */
const CALLS_AT_ONCE = 4;
/**
 * The limits after which the job gives up a site and reports its other vouchers as failed: groups of calls without an
 * answer, refusals in a row, and the time in which the controller only asked for pauses.
 */
const MAX_FAILED_GROUPS = 2;
const MAX_REFUSALS = 50;
const MAX_PAUSED_S = 120;
/** The pause if the controller does not say how long to wait. */
const PAUSE_S = 10;
const NOT_ALLOWED: ControllerFailure = {
  kind: 'refused',
  text: 'the user who began this was deactivated or has no access to the site any more',
};

/** Resolves when the bulk revocation has ended or the signal aborts; at once if another process is carrying it out. */
export type RunBulkRevocation = (id: BulkRevocationId, signal: AbortSignal) => Promise<void>;

interface Deps {
  bulkRevocations: BulkRevocationStore;
  revokeVoucher: RevokeVoucher;
  withLease: WithLease;
  clock: Clock;
  timeout: (ms: number) => AbortSignal;
  hasSites: HasSites;
}

export function makeRunBulkRevocation(deps: Deps): RunBulkRevocation {
  const { bulkRevocations, revokeVoucher, withLease, clock, timeout, hasSites } = deps;

  return async function runBulkRevocation(id, signal) {
    await withLease(`bulk revocation ${id}`, signal, async (held) => {
      const revocation = await bulkRevocations.find(id);
      if (!revocation || revocation.endedAtMs !== null) return;
      // If this release does not know the user's role, an instance of a newer release carries out the revocation.
      if (revocation.user.role === UNKNOWN) return;
      // Revoke at all sites in parallel, so that a controller that does not respond delays only its own site.
      const sites = await Promise.allSettled(
        revocation.siteIds.map((siteId) => revokeOfSite(revocation, siteId, held)),
      );
      for (const site of sites) if (site.status === 'rejected') throw site.reason;
      await bulkRevocations.end(id, clock.nowMs());
    });
  };

  async function revokeOfSite(revocation: BulkRevocation, siteId: SiteId, held: AbortSignal): Promise<void> {
    const { user } = revocation;
    if (!user.active || !(await hasSites(user, [siteId])))
      return bulkRevocations.failRest(revocation.id, siteId, NOT_ALLOWED);
    let inARow = { failedGroups: 0, refusals: 0, pausedS: 0 };
    while (!held.aborted) {
      const group = await bulkRevocations.listAwaiting(revocation.id, siteId, CALLS_AT_ONCE);
      if (group.length === 0) return;
      const results = await Promise.all(group.map((voucher) => revokeOne(revocation, voucher)));
      const failures = results.filter((result) => result !== undefined);
      if (failures.some(isNotKnown)) return;
      if (failures.length < group.length) inARow = { failedGroups: 0, refusals: 0, pausedS: 0 };
      const [pause] = failures.filter(asksForPause);
      const refusals = failures.filter(isRefusalOfOne);
      inARow.refusals += refusals.length;
      // A refusal shows that the controller can be reached, so the count of failed groups starts again.
      if (refusals.length > 0) inARow.failedGroups = 0;
      else if (failures.length === group.length && !failures.every(asksForPause)) inARow.failedGroups++;
      const failure = failures.find((one) => one !== pause) ?? pause;
      if (failure && isTooMuch(inARow)) return bulkRevocations.failRest(revocation.id, siteId, failure);
      if (pause) inARow.pausedS += await rest(pause.retryAfterS ?? PAUSE_S, held);
    }
  }

  async function rest(seconds: number, held: AbortSignal): Promise<number> {
    using rested = joinSignals(held, timeout(seconds * 1000));
    const { signal } = rested;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return seconds;
  }

  async function revokeOne(
    revocation: BulkRevocation,
    { id: voucherId, current }: AwaitingVoucher,
  ): Promise<ControllerFailure | undefined> {
    const { id, user, ip } = revocation;
    const atMs = clock.nowMs();
    const outcome = current ? findOutcome(revocation, current, atMs) : 'ended';
    if (!current || outcome) {
      await bulkRevocations.noteOutcome(id, voucherId, outcome ?? 'ended');
      return undefined;
    }
    const audit = { actor: userActor(user), atMs, ip };
    const failure = await revokeVoucher(current, audit, id).catch(toFailure);
    if (failure && !asksForPause(failure) && !isNotKnown(failure))
      await bulkRevocations.noteFailure(id, voucherId, failure);
    return failure;
  }
}

/** The outcome of a voucher that needs no call to the controller; undefined if the voucher must be revoked. */
function findOutcome(
  { onlyUnused, createdAtMs }: BulkRevocation,
  voucher: NonNullable<AwaitingVoucher['current']>,
  atMs: number,
): 'ended' | 'used' | undefined {
  const state = stateOf(voucher, toWholeSeconds(atMs));
  // True if the voucher disappeared from the controller after the job began. The job may have deleted it there and
  // crashed before recording the revocation, so the voucher is revoked once more.
  const isLeftOver = state === 'deleted' && (voucher.endedAtS ?? 0) >= toWholeSeconds(createdAtMs);
  if (hasEnded(state) && !isLeftOver) return 'ended';
  if (!onlyUnused || !wasUsed(voucher)) return undefined;
  return isLeftOver ? 'ended' : 'used';
}

const isTooMuch = (inARow: { failedGroups: number; refusals: number; pausedS: number }) =>
  inARow.failedGroups >= MAX_FAILED_GROUPS ||
  inARow.refusals >= MAX_REFUSALS ||
  inARow.pausedS >= MAX_PAUSED_S;

/** True if only a newer release can use the site. An instance of that release revokes the site's other vouchers. */
const isNotKnown = ({ cause }: ControllerFailure) => cause === 'not-known';

export interface ResumeBulkRevocations {
  /** Continues the open bulk revocations that no other process is carrying out. Does not wait for their end. */
  start(signal: AbortSignal, onError: (error: unknown) => void): Promise<void>;
  /** Resolves when none of the bulk revocations that `start` has continued is still running. */
  ended(): Promise<void>;
}

export function makeResumeBulkRevocations({
  bulkRevocations,
  runBulkRevocation,
}: {
  bulkRevocations: Pick<BulkRevocationStore, 'listOpen'>;
  runBulkRevocation: RunBulkRevocation;
}): ResumeBulkRevocations {
  const started = new Map<BulkRevocationId, Promise<void>>();
  return {
    async start(signal, onError) {
      for (const id of await bulkRevocations.listOpen())
        if (!started.has(id)) {
          const running = runBulkRevocation(id, signal).catch(onError);
          started.set(
            id,
            running.finally(() => started.delete(id)),
          );
        }
    },
    async ended() {
      await Promise.all(started.values());
    },
  };
}

/**
 * An unexpected error of a controller driver counts as a failure of this voucher only. If the database is unavailable,
 * the error is thrown again and stops the job.
 */
function toFailure(error: unknown): ControllerFailure {
  if (error instanceof DatabaseUnavailable) throw error;
  const text = toOneLine(error instanceof Error ? error.message : String(error));
  return { kind: 'outcome-unknown', text };
}
