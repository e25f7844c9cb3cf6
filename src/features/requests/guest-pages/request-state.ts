// What a guest sees of a request: that it is waiting, the code, or why there is no code.

import type { PageContext } from '../../../kernel/pages/context.ts';
import type { FoundVoucher } from '../../../kernel/vouchers/voucher-search.ts';
import { hasEnded, stateOf } from '../../../kernel/vouchers/voucher-state.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import type { GuestRequest } from '../guest-request.ts';
import { GUEST_REQUEST_TEXTS } from '../request-texts.ts';

/** How often the page of a request that waits is fetched again. */
export const FOLLOWED_EVERY_S = 5;

export type Followed =
  | { kind: 'waiting' | 'declined' | 'expired' | 'over' }
  | { kind: 'approved'; voucher: FoundVoucher };

/** A state of a newer release counts as waiting: an instance of that release shows it. */
export async function followRequest({ app, nowS }: PageContext, request: GuestRequest): Promise<Followed> {
  const { state, siteId, voucherId: id } = request;
  if (state === 'declined' || state === 'expired') return { kind: state };
  if (state !== 'approved') return { kind: 'waiting' };
  if (id === null) return { kind: 'over' };
  const { vouchers } = await app.finder.search({ siteIds: [siteId], id, limit: 1, nowS });
  const [voucher] = vouchers;
  return voucher && !hasEnded(stateOf(voucher, nowS)) ? { kind: 'approved', voucher } : { kind: 'over' };
}

/** Everything but the voucher itself, which looks different at a kiosk. */
export function stateCard(
  context: PageContext,
  request: GuestRequest,
  { kind, again, more }: { kind: Exclude<Followed['kind'], 'approved'>; again: string; more?: Html },
): Html {
  const { language, timeZone } = context;
  const text = GUEST_REQUEST_TEXTS[language];
  const askedAt = sayTime(request.createdAtMs, { language, timeZone });
  if (kind === 'waiting')
    return html`<section class="card hero" data-refresh="${FOLLOWED_EVERY_S}"><h1>${icon('expired')} ${text.waiting}</h1><p>${text.waitingWhat}</p>${more}
<dl class="facts"><div><dt>${text.fields.name.label}</dt><dd>${request.name}</dd></div><div><dt>${text.asked}</dt><dd><time datetime="${new Date(request.createdAtMs).toISOString()}">${askedAt}</time></dd></div></dl>
<noscript><meta http-equiv="refresh" content="${FOLLOWED_EVERY_S}"></noscript></section>`;
  const { reason } = request;
  const what = { declined: text.declinedWhat, expired: text.expiredWhat, over: text.overWhat };
  return html`<section class="card hero"><h1>${text[kind]}</h1><p>${what[kind]}</p>${kind === 'declined' && reason !== null && html`<dl class="facts"><div><dt>${text.reason}</dt><dd class="own-text">${reason}</dd></div></dl>`}
<p class="actions"><a class="button" href="${again}">${text.again}</a></p></section>`;
}
