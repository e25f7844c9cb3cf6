// For the API: revokes a voucher by its id. Finds the voucher and writes one line to the log. The revocation itself is
// the same as in the web interface (revoke-voucher.ts).

import type { Log } from '../../platform/log/log.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { toActorText } from '../audit/actor.ts';
import type { ControllerFailure } from '../controllers/controller.ts';
import type { SiteId, VoucherId } from '../ids.ts';
import { includesSite } from '../keys/api-key.ts';
import { findBusy, type RevocationProblem } from '../problem.ts';
import type { Site, SiteStore } from '../sites/site.ts';
import type { OrderedByKey } from './create-vouchers.ts';
import type { Revocable, RevokeVoucher } from './revoke-voucher.ts';

type FoundRevocable = Revocable & { revokedAtS: number | null };

export interface RevocableFinder {
  findById(id: VoucherId): Promise<FoundRevocable | undefined>;
  /** The newest voucher of the site with this code: a controller may use the code of an ended voucher again. */
  findByCode(siteId: SiteId, code: string): Promise<FoundRevocable | undefined>;
}

/** Undefined if the voucher is revoked now, or was already revoked. */
export type RevokeById = (id: VoucherId, by: OrderedByKey) => Promise<RevocationProblem | undefined>;

interface Deps {
  sites: Pick<SiteStore, 'findActive'>;
  revocations: Pick<RevocableFinder, 'findById'>;
  revokeVoucher: RevokeVoucher;
  clock: Clock;
  log: Log;
}

export function makeRevokeById({ sites, revocations, ...deps }: Deps): RevokeById {
  const revokeFound = makeRevokeFound(deps);

  return async function revokeById(id, by) {
    const voucher = await revocations.findById(id);
    const isOwn = voucher && includesSite(by.keySites, voucher.siteId);
    const site = isOwn && (await sites.findActive(voucher.siteId));
    return site ? revokeFound(voucher, site, by) : { kind: 'voucher-not-found' };
  };
}

function makeRevokeFound({ revokeVoucher, clock, log }: Pick<Deps, 'revokeVoucher' | 'clock' | 'log'>) {
  return async function revokeFound(
    voucher: FoundRevocable,
    site: Site,
    { actor, requestId, ip }: OrderedByKey,
  ): Promise<RevocationProblem | undefined> {
    const startedAtMs = clock.nowMs();
    const line = { requestId, siteId: site.id, voucherId: voucher.id, by: toActorText(actor) };
    const told = (facts: object) => ({ ...line, durationMs: clock.nowMs() - startedAtMs, ...facts });
    // A voucher is recorded as revoked only after the controller has deleted it: there is nothing left to do.
    if (voucher.revokedAtS !== null) {
      log.info(line, 'voucher was revoked before');
      return undefined;
    }
    try {
      const audit = { actor, atMs: startedAtMs, ...(ip !== undefined && { ip }) };
      const failure = await revokeVoucher(voucher, audit);
      if (failure) log.warn(told({ failure }), 'voucher not revoked');
      else log.info(told({}), 'voucher revoked');
      return failure && toProblem(failure, site.connection?.url);
    } catch (error) {
      log.error(told({ err: error }), 'voucher perhaps not revoked');
      throw error;
    }
  };
}

function toProblem(failed: ControllerFailure, controllerUrl: string | undefined): RevocationProblem {
  const busy = findBusy(failed);
  if (busy) return { kind: 'revocation-busy', ...busy };
  const { kind: failure, text, cause } = failed;
  return {
    kind: 'revocation-failed',
    failure,
    text,
    ...(cause && { cause }),
    ...(controllerUrl && { controllerUrl }),
  };
}
