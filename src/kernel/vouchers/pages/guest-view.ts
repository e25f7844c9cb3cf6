// Shows a voucher to the guest on the screen of the staff: first the QR code of the Wi-Fi, if it has one, then the QR
// code of the voucher. The texts are in the languages of the site's slips. Data for the staff is not shown.

import { guestViewStylesheet } from '../../../platform/pages/assets.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { AuthenticatedContext, PageContext } from '../../pages/context.ts';
import { redirect, renderPage } from '../../pages/layout.ts';
import type { Route } from '../../pages/route.ts';
import { siteLogoSrc } from '../../settings/pages/logo-form.ts';
import { versionOf } from '../../settings/settings.ts';
import { joinText } from '../../slips/join-text.ts';
import type { SiteSlip } from '../../slips/slip.ts';
import { sayAllowance } from '../texts/allowance.ts';
import { formatCode } from '../voucher.ts';
import type { FoundVoucher } from '../voucher-search.ts';
import { hasEnded, stateOf } from '../voucher-state.ts';
import { forGuests } from './hand-over.ts';
import { withFrom } from './list-link.ts';
import { findSiteHead, showSiteHead } from './site-head.ts';
import { demoPill, qrOf } from './voucher-details.ts';
import { withVoucher } from './with-voucher.ts';

export const guestViewRoutes: Route[] = [
  { method: 'GET', path: '/vouchers/:id/guest', permission: 'operator', run: withVoucher(show) },
];

async function show(staff: AuthenticatedContext, voucher: FoundVoucher) {
  const link = (below: string) => withFrom(staff, `/vouchers/${voucher.id}${below}`);
  if (hasEnded(stateOf(voucher, staff.nowS))) return redirect(staff, link(''));
  const slip = await staff.app.slips.find(voucher.siteId);
  const contexts = forGuests(staff, slip);
  const [context] = contexts;
  const { guest: text } = context.messages;
  const join = joinText(slip);
  const isWifi = join !== undefined && context.query.get('step') !== 'code';
  const warning = voucher.isDemo && html`<p>${demoPill(context)}</p>`;
  // This button is in the language of the staff, because the staff use it to close the view.
  const done = html`<a class="button${!isWifi && ' primary'}" lang="${staff.language}" href="${link('')}">${staff.messages.guest.done}</a>`;
  const next = html`<a class="button primary" href="${link('/guest?step=code')}">${text.next}</a>`;
  const previous = html`<a class="button" href="${link('/guest')}">${text.previous}</a>`;
  return renderPage(context, {
    title: isWifi ? text.join : text.enter,
    stylesheets: [guestViewStylesheet],
    guestHead: showSiteHead(await findSiteHead(staff, voucher), slip, ({ name, image }) =>
      name === 'logo' ? `/logo?v=${versionOf(image)}` : siteLogoSrc(voucher.siteId, image),
    ),
    content: isWifi
      ? html`<section class="shown">${warning}${wifiStep(contexts, slip, join)}</section><p class="actions">${done}${next}</p>`
      : html`<section class="shown">${warning}${codeStep(contexts, voucher, join === undefined ? slip : undefined)}</section><p class="actions">${join !== undefined && previous}${done}</p>`,
  });
}

type LanguageContexts = [PageContext, ...PageContext[]];

function wifiStep(contexts: LanguageContexts, slip: SiteSlip, join: string): Html {
  const { slip: paper } = contexts[0].messages;
  return html`<p class="soft">${inEach(contexts, ({ guest }) => guest.step(1, 2))}</p>
<h1>${inEach(contexts, ({ guest }) => guest.join)}</h1><p>${inEach(contexts, ({ guest }) => guest.joinHint)}</p>
${qrOf(join, paper.joinQr)}${wifiName(contexts, slip)}
${slip.wifiPassword !== null && html`<p>${labelOf(contexts, 'password')}: <strong class="code">${slip.wifiPassword}</strong></p>`}`;
}

/** `slip` is passed only if there is no Wi-Fi step. The page then shows the name of the Wi-Fi too. */
function codeStep(contexts: LanguageContexts, voucher: FoundVoucher, slip?: SiteSlip): Html {
  const { result } = contexts[0].messages;
  return html`${!slip && html`<p class="soft">${inEach(contexts, ({ guest }) => guest.step(2, 2))}</p>`}
<h1>${inEach(contexts, ({ guest }) => guest.enter)}</h1><p>${inEach(contexts, ({ guest }) => guest.enterHint)}</p>
${qrOf(voucher.code, result.qr)}<strong class="code entered">${formatCode(voucher.code)}</strong>
<p>${inEach(contexts, (_, context) => sayAllowance(voucher, context))}</p>${slip && wifiName(contexts, slip)}`;
}

function wifiName(contexts: LanguageContexts, { wifiName: name }: SiteSlip): Html | false {
  return name !== '' && html`<p>${labelOf(contexts, 'wifi')}: <strong>${name}</strong></p>`;
}

/** The sentence in each language of the guests, one below the other. */
function inEach(
  contexts: LanguageContexts,
  say: (messages: PageContext['messages'], context: PageContext) => string,
): Html {
  return html`${contexts.map((context) => html`<span class="in-language" lang="${context.language}">${say(context.messages, context)}</span>`)}`;
}

function labelOf(contexts: LanguageContexts, name: 'wifi' | 'password'): string {
  return contexts.map(({ messages }) => messages.onPaper[name]).join(' / ');
}
