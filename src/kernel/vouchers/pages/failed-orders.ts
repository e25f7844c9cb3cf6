// The line above the voucher form about orders of the user that failed. It stays until the user has tried them again or
// hidden the line, at most for the day in which they can be tried again.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { type FailedBatch, RETRIED_FOR_MS } from '../../batches/batch.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { formToken, redirect } from '../../pages/layout.ts';
import { note } from '../../pages/message.ts';
import type { Route } from '../../pages/route.ts';
import type { Site } from '../../sites/site.ts';
import { findOffer } from './voucher-slots.ts';

/** At most this many orders are named, the newest first. */
const MAX_NAMED = 3;

export const failedOrderRoutes: Route[] = [
  { method: 'POST', path: '/failed-orders/hide', formAt: '/', permission: 'operator', run: hide },
];

async function hide(context: AuthenticatedContext) {
  await context.app.batches.settleFailed(context.user.id, context.nowMs);
  return redirect(context, '/');
}

export async function failedNote(context: AuthenticatedContext, sites: Site[]): Promise<Html | false> {
  const { app, user, nowMs, messages } = context;
  const { failures: text } = messages;
  const siteIds = sites.map(({ id }) => id);
  const failed = await app.batches.listFailed({ userId: user.id, siteIds, sinceMs: nowMs - RETRIED_FOR_MS });
  if (failed.length === 0) return false;
  return note(
    'error',
    html`<strong>${text.orders(failed.length)}.</strong> ${text.openOrders} ${failed.slice(0, MAX_NAMED).map((batch, index) => html`${index > 0 && ', '}${link(context, batch)}`)}${failed.length > MAX_NAMED && ` ${text.furtherOrders(failed.length - MAX_NAMED)}`} ·
<form class="inline" method="post" action="/failed-orders/hide">${formToken(context)}<button class="later" type="submit">${text.hideOrders(failed.length)}</button></form>${await offers(context, failed.slice(0, MAX_NAMED))}`,
  );
}

/** What is offered instead of the vouchers of these orders. Each offer names its order, unless it is the only order. */
async function offers(context: AuthenticatedContext, failed: FailedBatch[]): Promise<Html[]> {
  const found: Html[] = [];
  for (const { id } of failed) {
    const batch = await context.app.batches.find(id);
    const offer = batch && (await findOffer(context, batch));
    if (offer)
      found.push(
        html`<p>${failed.length > 1 && html`<strong>${batch.order.name}</strong><br>`}${offer.gets}</p>${offer.button}`,
      );
  }
  return found;
}

function link(
  { language, timeZone }: AuthenticatedContext,
  { id, name, siteName, createdAtMs }: FailedBatch,
): Html {
  const time = sayTime(createdAtMs, { language, timeZone });
  return html`<a href="/batches/${id}" title="${siteName}, ${time}">${name}</a>`;
}
