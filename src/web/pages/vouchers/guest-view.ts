// The voucher for the eyes of the guest: one QR code at a time fills the screen, the Wi-Fi first, then the code.
// Without navigation, the voucher's name and other data of the staff.

import type { SiteSlip, SlipStore } from '../../../domain/sites/slip.ts';
import { formatCode } from '../../../domain/vouchers/voucher.ts';
import type { FoundVoucher } from '../../../domain/vouchers/voucher-search.ts';
import { hasEnded, stateOf } from '../../../domain/vouchers/voucher-state.ts';
import { joinText } from '../../../print/join-text.ts';
import type { AuthenticatedContext, PageContext } from '../../http/context.ts';
import type { Route } from '../../http/route.ts';
import { type Html, html } from '../../ui/html.ts';
import { redirect, renderPage } from '../../ui/layout.ts';
import { forGuest } from './hand-over.ts';
import { withFrom } from './list-link.ts';
import { demoPill, qrOf, sayAllowance } from './voucher-details.ts';
import { type VoucherDeps, withVoucher } from './with-voucher.ts';

interface Deps extends VoucherDeps {
  slips: Pick<SlipStore, 'find'>;
}

export function makeGuestViewPages(deps: Deps): Route[] {
  return [
    {
      method: 'GET',
      path: '/vouchers/:id/guest',
      access: 'operator',
      run: (context) => withVoucher(context, deps, show),
    },
  ];

  async function show(staff: AuthenticatedContext, voucher: FoundVoucher) {
    const link = (below: string) => withFrom(staff, `/vouchers/${voucher.id}${below}`);
    if (hasEnded(stateOf(voucher, staff.nowS))) return redirect(staff, link(''));
    const slip = await deps.slips.find(voucher.siteId);
    const context = forGuest(staff, slip);
    const { guest: text } = context.messages;
    // Nothing has to be scanned to join an open Wi-Fi; its name is enough.
    const join = slip.wifiSecurity === 'open' ? undefined : joinText(slip);
    const isWifi = join !== undefined && context.query.get('step') !== 'code';
    const warning = voucher.isDemo && html`<p>${demoPill(context)}</p>`;
    const done = html`<a class="button${!isWifi && ' primary'}" href="${link('')}">${text.done}</a>`;
    const next = html`<a class="button primary" href="${link('/guest?step=code')}">${text.next}</a>`;
    const previous = html`<a class="button" href="${link('/guest')}">${text.previous}</a>`;
    return renderPage(context, {
      title: isWifi ? text.join : text.enter,
      isForGuest: true,
      content: isWifi
        ? html`<section class="shown">${warning}${wifiStep(context, slip, join)}</section><p class="actions">${done}${next}</p>`
        : html`<section class="shown">${warning}${codeStep(context, voucher, join === undefined ? slip : undefined)}</section><p class="actions">${join !== undefined && previous}${done}</p>`,
    });
  }
}

function wifiStep(context: PageContext, slip: SiteSlip, join: string): Html {
  const { guest: text, slip: paper } = context.messages;
  return html`<p class="soft">${text.step(1, 2)}</p><h1>${text.join}</h1><p>${text.joinHint}</p>
${qrOf(join, paper.joinQr)}${wifiName(context, slip)}
<p>${paper.onPaper.password}: <strong class="code">${slip.wifiPassword}</strong></p>`;
}

/** `slip` is passed if this is the only step: the page then names the Wi-Fi too. */
function codeStep(context: PageContext, voucher: FoundVoucher, slip?: SiteSlip): Html {
  const { guest: text, result } = context.messages;
  return html`${!slip && html`<p class="soft">${text.step(2, 2)}</p>`}<h1>${text.enter}</h1><p>${text.enterHint}</p>
${qrOf(voucher.code, result.qr)}<strong class="code entered">${formatCode(voucher.code)}</strong>
<p>${sayAllowance(voucher, context)}</p>${slip && wifiName(context, slip)}`;
}

function wifiName({ messages: { slip: paper } }: PageContext, { wifiName: name }: SiteSlip): Html | false {
  return name !== '' && html`<p>${paper.onPaper.wifi}: <strong>${name}</strong></p>`;
}
