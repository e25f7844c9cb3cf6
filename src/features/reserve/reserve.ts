// The reserve of a site as users see it: how many vouchers are ready, and what the next one allows. Also defines the
// store that the settings of reserves are kept in.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { VoucherLimits } from '../../kernel/controllers/controller.ts';
import type { SiteId } from '../../kernel/ids.ts';
import { LOW_RESERVE, type Reserve, type ReserveCount } from './stock.ts';

export interface ReserveState extends ReserveCount {
  /** When the newest of the ready vouchers was made. Null if none is ready. */
  lastMadeAtMs: number | null;
  /** The limits of the voucher that is handed out next. Null if no voucher is ready. */
  next: VoucherLimits | null;
}

export interface ReserveStore {
  find(siteId: SiteId): Promise<ReserveState>;
  /** The sites that keep a reserve or have vouchers left of an earlier reserve. */
  list(): Promise<ReserveState[]>;
  /** Writes an audit entry if the reserve is changed. */
  set(reserve: Reserve, audit: AuditContext): Promise<void>;
}

export function isLow({ wanted, ready }: ReserveCount): boolean {
  return ready < wanted * LOW_RESERVE;
}
