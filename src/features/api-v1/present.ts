// Converts what the domain finds to the bodies of the responses.

import type { Actor } from '../../kernel/audit/actor.ts';
import { toTimestamp } from '../../kernel/contract/present-voucher.ts';
import type { VoucherLimits } from '../../kernel/controllers/controller.ts';
import { endOfTimeS, formatCode, nameWithoutDate } from '../../kernel/vouchers/voucher.ts';
import type { FoundVoucher } from '../../kernel/vouchers/voucher-search.ts';
import { stateOf } from '../../kernel/vouchers/voucher-state.ts';
import type { HistoryEvent, Voucher, VoucherWithHistory } from './responses.ts';

export const timeOrNull = (seconds: number | null) => (seconds === null ? null : toTimestamp(seconds));

/** In the domain, 0 means unlimited. */
export const presentLimits = ({ downKbps, upKbps, quotaMb }: VoucherLimits) => ({
  down_kbps: downKbps || null,
  up_kbps: upKbps || null,
  data_mb: quotaMb || null,
});

export function presentVoucher(voucher: FoundVoucher, nowS: number): Voucher {
  return {
    id: voucher.id,
    site: voucher.siteId,
    name: nameWithoutDate(voucher),
    code: voucher.code,
    formatted_code: formatCode(voucher.code),
    status: stateOf(voucher, nowS),
    devices: voucher.maxUses,
    used: voucher.usedCount,
    minutes: voucher.expireMinutes,
    ends_at: timeOrNull(voucher.endsAtS),
    expires_at: timeOrNull(endOfTimeS(voucher)),
    ...presentLimits(voucher),
    profile: voucher.profileId,
    reference: voucher.reference,
    note: voucher.note,
    created_at: toTimestamp(voucher.createdAtS),
  };
}

export function presentWithHistory(voucher: FoundVoucher, nowS: number): VoucherWithHistory {
  return { ...presentVoucher(voucher, nowS), history: historyOf(voucher, nowS) };
}

function historyOf(voucher: FoundVoucher, nowS: number): HistoryEvent[] {
  const { createdAtS, createdBy, firstUsedAtS, revokedAtS, revokedBy, endedAtS } = voucher;
  const state = stateOf(voucher, nowS);
  const expiredAtS = state === 'expired' ? (endOfTimeS(voucher) ?? endedAtS) : null;
  const deletedAtS = state === 'deleted' ? endedAtS : null;
  const events: [HistoryEvent['event'], number | null, Who][] = [
    ['created', createdAtS, whoIs(createdBy)],
    ['first-used', firstUsedAtS, NOBODY],
    ['revoked', revokedAtS, whoIs(revokedBy)],
    ['deleted', deletedAtS, { by: 'controller', key: null }],
    ['expired', expiredAtS, NOBODY],
  ];
  return events
    .flatMap(([event, atS, who]) => (atS === null ? [] : [{ atS, event, who }]))
    .sort((one, other) => one.atS - other.atS)
    .map(({ atS, event, who }) => ({ at: toTimestamp(atS), event, ...who }));
}

type Who = Pick<HistoryEvent, 'by' | 'key'>;
const NOBODY: Who = { by: null, key: null };

/** Never the name of a user. */
function whoIs(actor: Actor | null): Who {
  switch (actor?.kind) {
    case 'key':
      return { by: 'key', key: actor.name };
    case 'user':
    case 'controller':
      return { by: actor.kind, key: null };
    case 'command':
      return { by: 'command-line', key: null };
    default:
      return NOBODY;
  }
}
