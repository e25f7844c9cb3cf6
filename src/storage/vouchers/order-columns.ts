// The columns of a voucher order, which vouchers, intents, batches and profiles have in common.

import type { UpstreamOrder } from '../../domain/controller.ts';

export function toOrderColumns(order: UpstreamOrder) {
  return {
    name: order.name,
    max_uses: order.maxUses,
    expire_minutes: order.expireMinutes,
    down_kbps: order.downKbps,
    up_kbps: order.upKbps,
    quota_mb: order.quotaMb,
  };
}

export function toOrder(row: ReturnType<typeof toOrderColumns>): UpstreamOrder {
  return {
    name: row.name,
    maxUses: row.max_uses,
    expireMinutes: row.expire_minutes,
    downKbps: row.down_kbps,
    upKbps: row.up_kbps,
    quotaMb: row.quota_mb,
  };
}

export const limitColumns = ['max_uses', 'expire_minutes', 'down_kbps', 'up_kbps', 'quota_mb'] as const;
