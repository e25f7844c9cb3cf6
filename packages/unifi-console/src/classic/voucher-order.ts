// Reads the arguments of `create-voucher`: the voucher to create and the count, or undefined for `api.err.InvalidArgs`.
// Treats unusual arguments as a real controller does. Independent of HTTP.

import type { Fields } from '../http.ts';
import type { NewVoucher } from '../voucher-store.ts';
import { isWithin, readWhole } from './read-arguments.ts';

const MAX_PER_CALL = 10_000;
const MAX_MINUTES = 1_000_000;
const RATE_KBPS = { min: 2, max: 100_000 };
const USAGE_MB = { min: 1, max: 1_048_576 };

export interface ClassicOrder {
  count: number;
  voucher: Omit<NewVoucher, 'siteId' | 'adminName'>;
}

export function readVoucherOrder(args: Fields): ClassicOrder | undefined {
  const count = args.n === undefined ? 1 : readWhole(args.n);
  const durationMinutes = readMinutes(args);
  const downKbps = readLimit(args.down, RATE_KBPS);
  const upKbps = readLimit(args.up, RATE_KBPS);
  const usageQuotaMb = readLimit(args.bytes, USAGE_MB);
  // Any value that is not a number, including text, creates a voucher with unlimited uses.
  const quota = typeof args.quota === 'number' ? Math.trunc(args.quota) : 0;

  if (!isWithin(count, 1, MAX_PER_CALL) || !isWithin(durationMinutes, 1, MAX_MINUTES)) return undefined;
  if (downKbps === undefined || upKbps === undefined || usageQuotaMb === undefined || quota < 0)
    return undefined;
  const note = typeof args.note === 'string' && args.note !== '' ? args.note : null;
  return { count, voucher: { note, quota, durationMinutes, downKbps, upKbps, usageQuotaMb } };
}

/** Reads `expire`, in minutes. If it is `custom` or missing, multiplies `expire_number` by `expire_unit`. */
function readMinutes({ expire, expire_number, expire_unit }: Fields): number | undefined {
  if (expire !== undefined && expire !== null && expire !== 'custom') return readWhole(expire);
  const number = readWhole(expire_number);
  const unitMinutes = expire_unit === undefined ? 1 : readWhole(expire_unit);
  return number === undefined || unitMinutes === undefined ? undefined : number * unitMinutes;
}

/** Null for no limit; undefined for a limit that is not allowed, such as 0. */
function readLimit(value: unknown, { min, max }: { min: number; max: number }): number | null | undefined {
  if (value === undefined || value === null) return null;
  const number = readWhole(value);
  return isWithin(number, min, max) ? number : undefined;
}
