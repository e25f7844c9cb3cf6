// Simulates guests who enter a voucher code in the portal. The validity period starts with the first guest, and ends
// for all guests at the same time. Called only by the controls: no API of a real controller redeems vouchers.

import { type ConsoleState, isExpired } from './console-state.ts';
import { fail, ok, type Result } from './result.ts';
import type { StoredVoucher } from './voucher-store.ts';

export interface Redemption {
  voucher: StoredVoucher;
  /** MAC addresses of the devices that were authorised; `turnedAway` counts the devices that were not. */
  letIn: string[];
  turnedAway: number;
}

export type RedemptionProblem = 'unknown-code' | 'expired' | 'used-up';

export function redeemVoucher(
  { vouchers, guests, switches, nowS }: ConsoleState,
  { code, devices = 1 }: { code: string; devices?: number },
): Result<Redemption, RedemptionProblem> {
  const voucher = vouchers.findByCode(code.replaceAll('-', ''));
  if (!voucher) return fail('unknown-code');
  if (isExpired(voucher, nowS())) return fail('expired');

  const places = voucher.quota === 0 ? devices : Math.max(0, voucher.quota - voucher.used);
  const entering = Math.min(devices, places);
  if (entering === 0) return fail('used-up');

  const { id, siteId, downKbps, upKbps, usageQuotaMb } = voucher;
  const startS = nowS();
  voucher.startS ??= startS;
  voucher.endS ??= startS + voucher.durationMinutes * 60;
  const grant = { siteId, startS, endS: voucher.endS, downKbps, upKbps, usageQuotaMb };
  const link = { by: 'voucher' as const, voucherId: id, voucherCode: voucher.code };
  const letIn = Array.from({ length: entering }, () => guests.letIn({ ...grant, ...link }).mac);
  voucher.used += entering;

  if (switches.singleUseDisappears && voucher.quota === 1) vouchers.delete(voucher);
  return ok({ voucher, letIn, turnedAway: devices - entering });
}
