// The vouchers of a filter as CSV, page by page from the database, so that requests get in between.

import type { Site } from '../../domain/sites/site.ts';
import type { User } from '../../domain/users/user.ts';
import { expiresAtS, formatCode, statusOf } from '../../domain/vouchers/voucher.ts';
import type { FoundVoucher, SearchMark, VoucherFinder } from '../../domain/vouchers/voucher-search.ts';
import { type Cell, toCsv } from '../csv.ts';
import { download } from '../download.ts';
import { readSearch } from '../read-search.ts';
import type { Route } from '../routes.ts';
import type { UserVisit } from '../visit.ts';
import { madeBy } from '../voucher-parts.ts';

/** Enough for a year of a busy house; more would have to be written while it is sent. */
export const MOST_EXPORTED = 50_000;
const ROWS_AT_ONCE = 1_000;

interface Needs {
  sitesFor: (user: User) => Promise<Site[]>;
  finder: VoucherFinder;
}

export function makeExportPages({ sitesFor, finder }: Needs): Route[] {
  return [{ method: 'GET', path: '/export/vouchers.csv', access: 'operator', run: exportVouchers }];

  async function exportVouchers(visit: UserVisit) {
    const { search } = readSearch(visit, await sitesFor(visit.user));
    const rows: Cell[][] = [visit.words.revoke.columns];
    for (let after: SearchMark | undefined; rows.length <= MOST_EXPORTED; ) {
      const atMost = Math.min(ROWS_AT_ONCE, MOST_EXPORTED + 1 - rows.length);
      const found = await finder.search({ ...search, ...(after && { after }), atMost });
      rows.push(...found.vouchers.map((voucher) => toRow(visit, voucher)));
      after = found.lookedUntil ?? found.vouchers.at(-1);
      if (found.vouchers.length < atMost && !found.lookedUntil) break;
      await new Promise(setImmediate);
    }
    return download('vouchers.csv', 'text/csv; charset=utf-8', toCsv(rows));
  }
}

function toRow(visit: UserVisit, voucher: FoundVoucher): Cell[] {
  const { words, nowS } = visit;
  const endS = expiresAtS(voucher);
  const time = (seconds: number) => new Date(seconds * 1000).toISOString();
  return [
    // With its dash it stays a text in spreadsheets, and keeps its zeros.
    formatCode(voucher.code),
    voucher.name,
    voucher.siteName,
    voucher.revokedAtS ? words.revoke.revoked : words.state[statusOf(voucher, nowS)],
    voucher.usedCount,
    voucher.maxUses,
    voucher.expireMinutes,
    time(voucher.createdAtS),
    endS === null ? null : time(endS),
    madeBy(voucher, visit),
  ];
}
