// Converts vouchers to the JSON of the API contract: an element of the list, and the response to a creation.

import { expiresAtS, formatCode, statusOf, type Voucher } from '../domain/vouchers/voucher.ts';
import type { CreatedVoucher } from '../domain/vouchers/voucher-store.ts';

export function presentVoucher(voucher: Voucher, nowS: number) {
  const endS = expiresAtS(voucher);
  return {
    voucher_code: voucher.code,
    voucher_name: voucher.name,
    max_uses: voucher.maxUses,
    expire_minutes: voucher.expireMinutes,
    status: statusOf(voucher, nowS),
    used_count: voucher.usedCount,
    created_at: toTimestamp(voucher.createdAtS),
    expires_at: endS === null ? null : toTimestamp(endS),
  };
}

export function presentCreated(created: CreatedVoucher) {
  return {
    success: true,
    code: created.code,
    formatted_code: formatCode(created.code),
    site: created.siteName,
    max_uses: created.maxUses,
    expire_minutes: created.expireMinutes,
  };
}

/** RFC 3339, UTC, whole seconds. */
function toTimestamp(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
