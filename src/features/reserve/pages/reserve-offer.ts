// Offers vouchers of the reserve after an order that the controller did not meet, and hands them out. They get the
// name, the labels, the mail and the print job of the order.

import { type Batch, missingAtDesk, retryIdOf } from '../../../kernel/batches/batch.ts';
import { lastAttempt } from '../../../kernel/batches/pages/last-attempt.ts';
import { startBatch } from '../../../kernel/batches/pages/start-batch.ts';
import { withBatch } from '../../../kernel/batches/pages/with-batch.ts';
import type { VoucherLimits } from '../../../kernel/controllers/controller.ts';
import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken, redirect } from '../../../kernel/pages/layout.ts';
import { note } from '../../../kernel/pages/message.ts';
import type { Route } from '../../../kernel/pages/route.ts';
import type { Site } from '../../../kernel/sites/site.ts';
import type { VoucherSlots } from '../../../kernel/vouchers/pages/voucher-slots.ts';
import { sayAllowance } from '../../../kernel/vouchers/texts/allowance.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { RESERVE_TEXTS } from '../reserve-texts.ts';

interface ReserveOffer {
  /** How many vouchers are handed out. */
  count: number;
  /** How many are in the reserve now. */
  ready: number;
  limits: VoucherLimits;
}

export const reserveOfferRoutes: Route[] = [
  { method: 'POST', path: '/batches/:id/reserve', permission: 'operator', run: withBatch(handOut) },
];

export const reserveVoucherSlots: VoucherSlots = {
  async offer(context, batch) {
    const offer = await findReserve(context, batch);
    if (!offer) return undefined;
    return {
      note: offerNote(context, batch, offer),
      gets: sayGets(context, offer),
      button: offerButton(context, batch, offer),
    };
  },
};

/** Undefined if the reserve cannot help, or if the order was met in the meantime. */
async function findReserve(context: AuthenticatedContext, batch: Batch): Promise<ReserveOffer | undefined> {
  if (missingAtDesk(batch, context.nowMs) === 0) return undefined;
  const count = missingAtDesk(await lastAttempt(context, batch), context.nowMs);
  const { ready, next } = await context.app.reserves.find(batch.order.siteId);
  return count > 0 && next && ready >= count ? { count, ready, limits: next } : undefined;
}

/** The id of the new batch is the same for everybody, so several clicks or users hand out the vouchers only once. */
async function handOut(context: AuthenticatedContext, batch: Batch, site: Site): Promise<Response> {
  const last = await lastAttempt(context, batch);
  const { id, order } = last;
  const wanted = missingAtDesk(last, context.nowMs);
  const page = `/batches/${id}`;
  if (wanted === 0) return redirect(context, page);
  const { ready } = await context.app.reserves.find(site.id);
  if (ready < wanted) return redirect(context, page, 'reserveTooSmall');
  const prints = context.query.has('print');
  const reserved = { id: retryIdOf(id), order, wanted, insteadOf: id, isFromReserve: true as const };
  return startBatch(context, reserved, { prints, make: context.app.handOutBatch });
}

function offerNote(context: AuthenticatedContext, batch: Batch, offer: ReserveOffer): Html {
  const text = RESERVE_TEXTS[context.language];
  return note(
    'info',
    html`<p><strong>${text.offer(offer.count)}</strong><br>${sayGets(context, offer)}${batch.isUncertain && ` ${text.mayBeTwo}`}</p>
${offerButton(context, batch, { ...offer, isPrimary: true })}`,
  );
}

/** What the guest gets, and how many are in the reserve. */
function sayGets(context: AuthenticatedContext, { limits, ready }: ReserveOffer): string {
  return RESERVE_TEXTS[context.language].gets(sayAllowance(limits, context), ready);
}

function offerButton(
  context: AuthenticatedContext,
  { id }: Batch,
  { count, isPrimary = false }: ReserveOffer & { isPrimary?: boolean },
): Html {
  const text = RESERVE_TEXTS[context.language];
  const action = `/batches/${id}/reserve${context.query.has('print') ? '?print' : ''}`;
  return html`<form method="post" action="${action}" data-working="${text.working}">${formToken(context)}<button class="button${isPrimary && ' primary'}" type="submit">${text.handOut(count)}</button></form>`;
}
