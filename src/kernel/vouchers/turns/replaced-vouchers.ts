// Revokes replaced vouchers that could not be revoked at once. One instance at a time does it.

import type { WithLease } from '../../../platform/leases/leases.ts';
import type { ReplacedVoucherStore, RevokeReplaced } from '../replaced-vouchers.ts';

const EVERY_MS = 10_000;

interface Deps {
  replacedVouchers: Pick<ReplacedVoucherStore, 'listLiving'>;
  revokeReplaced: RevokeReplaced;
  withLease: WithLease;
}

export function makeReplacedVouchersTurn({ replacedVouchers, revokeReplaced, withLease }: Deps) {
  return async function replacedVouchersTurn(signal: AbortSignal): Promise<number> {
    if ((await replacedVouchers.listLiving({})).length > 0)
      await withLease('replaced vouchers', signal, (held) => revokeReplaced(undefined, held));
    return EVERY_MS;
  };
}
