// Finds the voucher named in the path. Responds with 404 if the user has no access to its site.

import { asVoucherId } from '../../../domain/ids.ts';
import type { SitesFor } from '../../../domain/sites/sites-for.ts';
import type { FoundVoucher, VoucherFinder } from '../../../domain/vouchers/voucher-search.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import { problemPage } from '../../http/problem-page.ts';

export interface VoucherDeps {
  sitesFor: SitesFor;
  finder: VoucherFinder;
}

export async function withVoucher(
  context: AuthenticatedContext,
  { sitesFor, finder }: VoucherDeps,
  run: (context: AuthenticatedContext, voucher: FoundVoucher) => Response | Promise<Response>,
): Promise<Response> {
  const { id: text = '' } = context.parameters;
  const { vouchers } = await finder.search({
    siteIds: (await sitesFor(context.user)).map(({ id }) => id),
    id: asVoucherId(/^\d{1,15}$/.test(text) ? Number(text) : 0),
    limit: 1,
    nowS: context.nowS,
  });
  const [voucher] = vouchers;
  return voucher ? run(context, voucher) : problemPage(context, 404, context.messages.problem.notFound);
}
