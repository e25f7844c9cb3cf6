// For the API: revokes a voucher by its code. Finds the voucher and writes one line to the log. The revocation itself
// is the same as in the web interface (revoke-voucher.ts).

import { toActorText } from '../audit/actor.ts';
import type { Clock } from '../clock.ts';
import type { ControllerFailure } from '../controller.ts';
import type { SiteId } from '../ids.ts';
import { includesSite } from '../keys/api-key.ts';
import type { Log } from '../log.ts';
import { findBusy, type RevocationProblem } from '../problem.ts';
import type { SiteStore } from '../sites/site.ts';
import type { OrderedByKey } from './create-vouchers.ts';
import type { Revocable, RevokeVoucher } from './revoke-voucher.ts';

export interface RevocationInput {
  siteId: SiteId;
  /** Without dashes and blanks. */
  code: string;
}

export interface RevocableFinder {
  /** The newest voucher of the site with this code: a controller may use the code of an ended voucher again. */
  findByCode(siteId: SiteId, code: string): Promise<(Revocable & { revokedAtS: number | null }) | undefined>;
}

/** Undefined if the voucher is revoked now, or was already revoked. */
export type RevokeByCode = (
  input: RevocationInput,
  by: OrderedByKey,
) => Promise<RevocationProblem | undefined>;

interface Deps {
  sites: Pick<SiteStore, 'findActive'>;
  revocations: RevocableFinder;
  revokeVoucher: RevokeVoucher;
  clock: Clock;
  log: Log;
}

export function makeRevokeByCode({ sites, revocations, revokeVoucher, clock, log }: Deps): RevokeByCode {
  return async function revokeByCode({ siteId, code }, { actor, requestId, ip, keySites }) {
    const site = includesSite(keySites, siteId) ? await sites.findActive(siteId) : undefined;
    if (!site) return { kind: 'site-not-found' };
    const voucher = await revocations.findByCode(siteId, code);
    if (!voucher) return { kind: 'voucher-not-found' };

    const startedAtMs = clock.nowMs();
    const line = { requestId, siteId, voucherId: voucher.id, by: toActorText(actor) };
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
