// Notes orders and revocations that failed: in the audit log, and as the last failure of the site, which the overview
// shows. A client that keeps trying must not fill the audit log, so equal failures are summed up. Nothing is written
// when an order succeeds.

import type { Log } from '../../platform/log/log.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import type { FailureCause } from '../controllers/controller.ts';
import type { SiteId } from '../ids.ts';
import type { Site } from '../sites/site.ts';

/** After an entry, equal failures are only counted for this long. */
export const SUMMED_UP_MS = 10 * 60_000;
/** The last failure of a site is written at most this often. */
export const REMEMBERED_EVERY_MS = 10_000;
const FLUSHED_EVERY_MS = 60_000;

export type FailedAction = 'voucher.not-created' | 'voucher.not-revoked';

export interface FailedOrder extends Omit<AuditContext, 'atMs'> {
  action: FailedAction;
  site: Pick<Site, 'id' | 'name'>;
  cause: FailureCause | null;
  /** How many vouchers were not created or not revoked. */
  count: number;
}

export interface LastFailure {
  action: FailedAction;
  cause: FailureCause | null;
  atMs: number;
}

export interface FailedOrderStore {
  /** Writes an audit entry. */
  audit(failed: FailedOrder & { atMs: number }): Promise<void>;
  remember(siteId: SiteId, failure: LastFailure): Promise<void>;
  /**
   * Called after a success that creates no record of a voucher: a test, or a revocation, which ends only its own
   * failures.
   */
  forget(siteId: SiteId, action?: FailedAction): Promise<void>;
  /** The last failures of the sites. Leaves out sites at which a voucher was created since. */
  list(): Promise<Map<SiteId, LastFailure>>;
  find(siteId: SiteId): Promise<LastFailure | undefined>;
  /**
   * Forgets the failures of sites at which a voucher was created since. Otherwise they would return when the record of
   * that voucher is deleted.
   */
  forgetPast(): Promise<void>;
}

/** Errors are logged, not thrown: the order has failed already, and its caller must learn why. */
export type NoteFailedOrder = (failed: FailedOrder) => Promise<void>;

interface Deps {
  failedOrders: FailedOrderStore;
  clock: Clock;
  log: Log | undefined;
}

export function makeFailedOrderNotes({ failedOrders, clock, log }: Deps) {
  const summedUp = new Map<string, { failed: FailedOrder; sinceMs: number; further: number }>();

  return {
    noteFailedOrder: (async (failed) => {
      try {
        await remember(failed);
        await auditOrCount(failed);
      } catch (error) {
        log?.error({ err: error, siteId: failed.site.id }, 'a failed order was not recorded');
      }
    }) satisfies NoteFailedOrder,

    /** Writes what was counted since the entries. Returns the pause until the next call. */
    async flushFailedOrders({ isLast = false } = {}): Promise<number> {
      for (const [name, { failed, sinceMs, further }] of summedUp) {
        if (!isLast && isWithin(sinceMs, SUMMED_UP_MS)) continue;
        summedUp.delete(name);
        if (further > 0) await auditOrCount({ ...failed, count: further });
      }
      await failedOrders.forgetPast();
      return FLUSHED_EVERY_MS;
    },
  };

  async function remember({ site, action, cause }: FailedOrder): Promise<void> {
    // An overload passes by itself, and must not hide another cause.
    if (cause === 'busy') return;
    const known = await failedOrders.find(site.id);
    if (known && isWithin(known.atMs, REMEMBERED_EVERY_MS)) return;
    await failedOrders.remember(site.id, { action, cause, atMs: clock.nowMs() });
  }

  async function auditOrCount(failed: FailedOrder): Promise<void> {
    const { action, site, cause, actor, count } = failed;
    const name = JSON.stringify([action, site.id, cause, actor.kind, actor.id, actor.name]);
    const known = summedUp.get(name);
    if (known && isWithin(known.sinceMs, SUMMED_UP_MS)) {
      known.further += count;
      return;
    }
    const atMs = clock.nowMs();
    summedUp.set(name, { failed, sinceMs: atMs, further: 0 });
    await failedOrders.audit({ ...failed, count: count + (known?.further ?? 0), atMs });
  }

  /** False if the clock was set back. */
  function isWithin(sinceMs: number, ms: number): boolean {
    const ageMs = clock.nowMs() - sinceMs;
    return ageMs >= 0 && ageMs < ms;
  }
}
