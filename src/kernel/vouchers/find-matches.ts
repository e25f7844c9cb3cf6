// Asks a controller for the vouchers that an intent could have created, while the request that opened the intent still
// waits.

import { ok, type Result } from '../../platform/values/result.ts';
import type { Controller, ControllerFailure, UpstreamVoucher } from '../controllers/controller.ts';
import { isSameOrder } from './voucher-order.ts';
import type { Intent } from './voucher-records.ts';

export async function findMatches(
  intent: Intent,
  controller: Controller,
  signal: AbortSignal,
): Promise<Result<UpstreamVoucher[], ControllerFailure>> {
  const names = new Set([intent.order.name]);
  const found = await controller.findVouchersNamed(names, { signal, priority: 'finish' });
  return found.ok ? ok(found.value.filter((voucher) => couldBe(voucher, intent))) : found;
}

export function couldBe(voucher: UpstreamVoucher, intent: Intent): boolean {
  return voucher.code !== null && isSameOrder(voucher, intent.order);
}
