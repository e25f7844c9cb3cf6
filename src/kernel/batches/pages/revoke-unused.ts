// Revokes the unused vouchers of a batch after confirmation.

import { html } from '../../../platform/pages/ui/html.ts';
import { confirm } from '../../pages/confirm.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { redirect } from '../../pages/layout.ts';
import type { Route } from '../../pages/route.ts';
import type { Site } from '../../sites/site.ts';
import { beginBulkRevocation } from '../../vouchers/pages/begin-bulk-revocation.ts';
import { wasUsed } from '../../vouchers/voucher-state.ts';
import { type Batch, MAX_BATCH_SIZE } from '../batch.ts';
import { usage } from './batches.ts';
import { withBatch } from './with-batch.ts';

export const revokeUnusedRoutes: Route[] = [
  { method: 'GET', path: '/batches/:id/revoke', permission: 'operator', run: withBatch(ask) },
  { method: 'POST', path: '/batches/:id/revoke', permission: 'operator', run: withBatch(revoke) },
];

async function findUnused({ app, nowS }: AuthenticatedContext, batch: Batch, site: Site) {
  const search = { siteIds: [site.id], batchId: batch.id, limit: MAX_BATCH_SIZE, nowS };
  return (await app.finder.search({ ...search, state: 'unused' })).vouchers;
}

async function ask(context: AuthenticatedContext, batch: Batch, site: Site) {
  const { batches: text, bulkRevocation: revocation } = context.messages;
  const { length: count } = await findUnused(context, batch, site);
  if (count === 0) return redirect(context, `/batches/${batch.id}`);
  return confirm(context, {
    ask: text.askUnused(count),
    what: text.whatUnused(batch.order.name, count),
    details: html`<p><strong>${batch.order.name}</strong> · ${batch.siteName}</p>${usage(context, { used: batch.vouchers.filter(wasUsed).length, vouchers: batch.vouchers.length })}`,
    action: `/batches/${batch.id}/revoke`,
    button: revocation.button(count),
    back: `/batches/${batch.id}`,
    under: '/vouchers',
  });
}

async function revoke(context: AuthenticatedContext, batch: Batch, site: Site) {
  const vouchers = await findUnused(context, batch, site);
  if (vouchers.length === 0) return redirect(context, `/batches/${batch.id}`);
  return beginBulkRevocation(context, { vouchers, batchId: batch.id, onlyUnused: true });
}
