// Finds the voucher whose id is in the path. Responds with 404 if there is none or the user has no access to its site.

import { asVoucherId } from '../../ids.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { notFoundPage } from '../../pages/problem-page.ts';
import type { FoundVoucher } from '../voucher-search.ts';

type VoucherPage = (context: AuthenticatedContext, voucher: FoundVoucher) => Response | Promise<Response>;

export function withVoucher(run: VoucherPage): (context: AuthenticatedContext) => Promise<Response> {
  return async (context) => {
    const { app, user, nowS } = context;
    const { id: text = '' } = context.parameters;
    const { vouchers } = await app.finder.search({
      siteIds: (await app.sitesFor(user)).map(({ id }) => id),
      id: asVoucherId(/^\d{1,15}$/.test(text) ? Number(text) : 0),
      limit: 1,
      nowS,
    });
    const [voucher] = vouchers;
    return voucher ? run(context, voucher) : notFoundPage(context);
  };
}
