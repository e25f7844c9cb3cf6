// Revokes rolling codes half an hour after they were taken off their screen, if nobody has used them. Does nothing
// while the clock is doubted. A code is revoked only after a sync that began when it was due: until then a use may be
// unknown.

import { serviceActor } from '../../kernel/audit/actor.ts';
import type { ReadTrustedTime } from '../../kernel/clock-check/clock-check.ts';
import type { SiteId } from '../../kernel/ids.ts';
import type { RevokeVoucher } from '../../kernel/vouchers/revoke-voucher.ts';
import type { WithLease } from '../../platform/leases/leases.ts';
import type { Log } from '../../platform/log/log.ts';
import type { ShownCodeStore } from './shown-codes.ts';

const EVERY_MS = 10_000;
const EVERY_IN_DOUBT_MS = 60_000;
/** How long a site is left alone after a failed revocation. */
const PAUSE_MS = 5 * 60_000;

interface Deps {
  shownCodes: ShownCodeStore;
  revokeVoucher: RevokeVoucher;
  readTrustedTime: ReadTrustedTime;
  withLease: WithLease;
  monotonicMs: () => number;
  log: Log;
}

export function makeShownCodesTurn(deps: Deps) {
  const { shownCodes, revokeVoucher, readTrustedTime, withLease, monotonicMs, log } = deps;
  const pausedUntilMs = new Map<SiteId, number>();

  return async function shownCodesTurn(signal: AbortSignal): Promise<number> {
    await shownCodes.forgetUsed();
    const time = await readTrustedTime();
    if (!time) return EVERY_IN_DOUBT_MS;
    if ((await shownCodes.listDue(time.nowMs)).length > 0)
      await withLease('shown codes', signal, (held) => revokeDue(time.nowMs, held));
    return EVERY_MS;
  };

  async function revokeDue(nowMs: number, signal: AbortSignal): Promise<void> {
    for (const code of await shownCodes.listDue(nowMs)) {
      const { siteId, id } = code;
      if (signal.aborted) return;
      if (monotonicMs() < (pausedUntilMs.get(siteId) ?? 0)) continue;
      const failure = await revokeVoucher(code, { actor: serviceActor('Clean-up'), atMs: nowMs });
      if (failure) {
        pausedUntilMs.set(siteId, monotonicMs() + PAUSE_MS);
        log.warn(
          { siteId, voucherId: id, failure },
          'a code that was taken off its screen was not revoked yet',
        );
      } else log.info({ siteId, voucherId: id }, 'a code that was taken off its screen was revoked');
    }
    await shownCodes.forgetUsed();
  }
}
