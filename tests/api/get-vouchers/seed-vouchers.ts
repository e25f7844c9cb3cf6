// Inserts vouchers into the database without a controller, with the columns that a test sets, and increments the site's
// list version, as all code that writes vouchers must do.

import type { TestService } from '../../support/test-service.ts';

export interface SeedVoucher {
  siteId?: number;
  code: string;
  name?: string;
  maxUses?: number;
  expireMinutes?: number;
  usedCount?: number;
  createdAtS?: number;
  firstUsedAtS?: number | null;
  endedAtS?: number | null;
  endsAtS?: number | null;
}

export const nowS = (service: TestService): number => Math.floor(service.clock.nowMs() / 1000);

export function seedVoucher(service: TestService, voucher: SeedVoucher): void {
  const { siteId = 1, code, name = `2026-01-15_${code}` } = voucher;
  service.change(
    `insert into vouchers (site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
                           used_count, created_at_s, first_used_at_s, ended_at_s, ends_at_s)
     values (?, ?, ?, ?, ?, 0, 0, 0, ?, ?, ?, ?, ?)`,
    ...[siteId, code, name, voucher.maxUses ?? 1, voucher.expireMinutes ?? 480, voucher.usedCount ?? 0],
    ...[voucher.createdAtS ?? nowS(service), voucher.firstUsedAtS ?? null, voucher.endedAtS ?? null],
    voucher.endsAtS ?? null,
  );
  raiseListVersion(service, siteId);
}

export function raiseListVersion(service: TestService, siteId: number): void {
  service.change('update sites set list_version = list_version + 1 where id = ?', siteId);
}
