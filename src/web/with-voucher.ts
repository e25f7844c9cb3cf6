// The voucher that a path names, if it is the visitor's to see.

import { asVoucherId } from '../domain/ids.ts';
import type { Site } from '../domain/sites/site.ts';
import type { User } from '../domain/users/user.ts';
import type { FoundVoucher, VoucherFinder } from '../domain/vouchers/voucher-search.ts';
import type { Answer } from '../http/exchange.ts';
import { problemPage } from './answer-visits.ts';
import type { UserVisit } from './visit.ts';

export interface VoucherNeeds {
  sitesFor: (user: User) => Promise<Site[]>;
  finder: VoucherFinder;
}

export async function withVoucher(
  visit: UserVisit,
  { sitesFor, finder }: VoucherNeeds,
  run: (visit: UserVisit, voucher: FoundVoucher) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { id: text = '' } = visit.parameters;
  const { vouchers } = await finder.search({
    siteIds: (await sitesFor(visit.user)).map(({ id }) => id),
    id: asVoucherId(/^\d{1,15}$/.test(text) ? Number(text) : 0),
    atMost: 1,
    nowS: visit.nowS,
  });
  const [voucher] = vouchers;
  return voucher ? run(visit, voucher) : problemPage(visit, 404, visit.words.problem.notFound);
}
