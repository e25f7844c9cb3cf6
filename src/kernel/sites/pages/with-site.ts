// Finds the site whose id is in the path. Responds with 404 if there is no such site.

import { asSiteId } from '../../ids.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { notFoundPage } from '../../pages/problem-page.ts';
import { MAX_INTEGER } from '../../vouchers/voucher-order.ts';
import type { Site } from '../site.ts';

export type SitePage = (context: AuthenticatedContext, site: Site) => Response | Promise<Response>;

export function withSite(run: SitePage): (context: AuthenticatedContext) => Promise<Response> {
  return async (context) => {
    const text = context.parameters.site ?? '';
    const id = /^\d{1,10}$/.test(text) && Number(text) <= MAX_INTEGER ? Number(text) : 0;
    const site = await context.app.sites.find(asSiteId(id));
    return site ? run(context, site) : notFoundPage(context);
  };
}
