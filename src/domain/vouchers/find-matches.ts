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
  const found = await controller.findVouchersByName(intent.order.name, signal);
  if (!found.ok) return found;
  return ok(found.value.filter((made) => made.code !== null && isSameOrder(made, intent.order)));
}
