// Exports the vouchers that match a filter as CSV. They are read in pages, so that other requests run in between.

import type { NoteAudit } from '../../../domain/audit/audit-log.ts';
import type { SitesFor } from '../../../domain/sites/sites-for.ts';
import { expiresAtS, formatCode } from '../../../domain/vouchers/voucher.ts';
import type { FoundVoucher, SearchMark, VoucherFinder } from '../../../domain/vouchers/voucher-search.ts';
import { stateOf } from '../../../domain/vouchers/voucher-state.ts';
import { type AuthenticatedContext, auditContextOf } from '../../http/context.ts';
import { type Cell, toCsv } from '../../http/csv.ts';
import { download } from '../../http/download.ts';
import type { Route } from '../../http/route.ts';
import { readSearch } from './read-search.ts';
import { madeBy } from './voucher-details.ts';

/** Enough for a year of a busy site. A larger export would have to be streamed. */
export const MAX_EXPORTED = 50_000;
const ROWS_AT_ONCE = 1_000;

interface Deps {
  sitesFor: SitesFor;
  finder: VoucherFinder;
  noteAudit: NoteAudit;
}

export function makeExportPages({ sitesFor, finder, noteAudit }: Deps): Route[] {
  return [{ method: 'GET', path: '/export/vouchers.csv', access: 'operator', run: exportVouchers }];

  async function exportVouchers(context: AuthenticatedContext) {
    const { search } = readSearch(context, await sitesFor(context.user));
    const rows: Cell[][] = [context.messages.revoke.columns];
    for (let after: SearchMark | undefined; rows.length <= MAX_EXPORTED; ) {
      const limit = Math.min(ROWS_AT_ONCE, MAX_EXPORTED + 1 - rows.length);
      const found = await finder.search({ ...search, ...(after && { after }), limit });
      rows.push(...found.vouchers.map((voucher) => toRow(context, voucher)));
      after = found.lookedUntil ?? found.vouchers.at(-1);
      if (found.vouchers.length < limit && !found.lookedUntil) break;
      await new Promise(setImmediate);
    }
    const subject = `vouchers: ${rows.length - 1}`;
    await noteAudit({ ...auditContextOf(context), action: 'voucher.exported', subject });
    return download(context, { name: 'vouchers.csv', type: 'text/csv; charset=utf-8', body: toCsv(rows) });
  }
}

function toRow(context: AuthenticatedContext, voucher: FoundVoucher): Cell[] {
  const { messages, nowS } = context;
  const endS = expiresAtS(voucher);
  const time = (seconds: number) => new Date(seconds * 1000).toISOString();
  return [
    // The dash makes spreadsheets treat the code as text and keep its leading zeros.
    formatCode(voucher.code),
    voucher.name,
    voucher.siteName,
    messages.state[stateOf(voucher, nowS)],
    voucher.usedCount,
    voucher.maxUses,
    voucher.expireMinutes,
    time(voucher.createdAtS),
    endS === null ? null : time(endS),
    madeBy(voucher, context),
  ];
}
