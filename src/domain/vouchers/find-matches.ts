// Asks a controller for the vouchers that could be the one an intent was meant to make.
// Used right after an answer was lost, and by settling later on.

import type { Controller, ControllerFailure, UpstreamVoucher } from '../controller.ts';
import { ok, type Result } from '../result.ts';
import { isSameOrder } from './voucher-order.ts';
import type { Intent } from './voucher-store.ts';

export async function findMatches(
  intent: Intent,
  controller: Controller,
  signal: AbortSignal,
): Promise<Result<UpstreamVoucher[], ControllerFailure>> {
  const found = await controller.findVouchersNamed(new Set([intent.order.name]), signal);
  return found.ok ? ok(found.value.filter((voucher) => couldBe(voucher, intent))) : found;
}

export function couldBe(voucher: UpstreamVoucher, intent: Intent): boolean {
  return voucher.code !== null && isSameOrder(voucher, intent.order);
}
