// Converts vouchers to the JSON of the API contract: an element of the list, and the response to a creation.

import { expiresAtS, formatCode, statusOf, type Voucher } from '../vouchers/voucher.ts';
import type { CreatedVoucher } from '../vouchers/voucher-records.ts';

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

const DAY_S = 86_400;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
/** Formatted dates by day, each with the `T` that follows it. Formatting a date takes longer than all other steps. */
const dates = new Map<number, string>();
const MAX_DATES = 1_000;

/** RFC 3339, UTC, whole seconds. */
export function toTimestamp(seconds: number): string {
  const day = Math.floor(seconds / DAY_S);
  const second = seconds - day * DAY_S;
  const [h, m, s] = [Math.floor(second / 3_600), Math.floor(second / 60) % 60, second % 60];
  return `${dateOf(day)}${TWO_DIGITS[h]}:${TWO_DIGITS[m]}:${TWO_DIGITS[s]}Z`;
}

function dateOf(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  if (dates.size >= MAX_DATES) dates.clear();
  const date = new Date(day * DAY_S * 1_000).toISOString().slice(0, -'00:00:00.000Z'.length);
  dates.set(day, date);
  return date;
}
