// The link that opens the guest page of a voucher: staff make it, share it, renew it and withdraw it.

import type { VoucherId } from '../../../kernel/ids.ts';
import { confirm } from '../../../kernel/pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { formToken, redirect } from '../../../kernel/pages/layout.ts';
import { linkTo } from '../../../kernel/pages/link-to.ts';
import { note } from '../../../kernel/pages/message.ts';
import { toPublicUrl } from '../../../kernel/pages/only-here-note.ts';
import type { Route } from '../../../kernel/pages/route.ts';
import { nextOf } from '../../../kernel/sessions/pages/login-form.ts';
import type { Site } from '../../../kernel/sites/site.ts';
import type { SiteSlip } from '../../../kernel/slips/slip.ts';
import { zoneOf } from '../../../kernel/vouchers/nights.ts';
import { forGuests } from '../../../kernel/vouchers/pages/hand-over.ts';
import { hereWithQr } from '../../../kernel/vouchers/pages/qr-choice.ts';
import { qrFigure } from '../../../kernel/vouchers/pages/voucher-details.ts';
import type { VoucherSlots } from '../../../kernel/vouchers/pages/voucher-slots.ts';
import { withVoucher } from '../../../kernel/vouchers/pages/with-voucher.ts';
import { formatCode } from '../../../kernel/vouchers/voucher.ts';
import type { FoundVoucher } from '../../../kernel/vouchers/voucher-search.ts';
import { hasEnded, stateOf } from '../../../kernel/vouchers/voucher-state.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { makePathToken } from '../../../platform/secrets/token.ts';
import { sayDay, sayTimeOfDay } from '../../../platform/texts/durations.ts';
import { GUEST_PATH, type GuestLink } from '../guest-link.ts';
import { GUEST_LINK_TEXTS, GUEST_PAGE_TEXTS } from '../guest-page-texts.ts';

const path = '/vouchers/:id/link';
/** The value of `qr` in the query of a voucher's page. */
const QR = 'link';

export const guestLinkRoutes: Route[] = [
  { method: 'POST', path, formAt: '/vouchers/:id', permission: 'operator', run: withVoucher(make) },
  { method: 'GET', path: `${path}/renew`, permission: 'operator', run: withVoucher(askToRenew) },
  { method: 'POST', path: `${path}/renew`, permission: 'operator', run: withVoucher(renew) },
  { method: 'GET', path: `${path}/withdraw`, permission: 'operator', run: withVoucher(askToWithdraw) },
  { method: 'POST', path: `${path}/withdraw`, permission: 'operator', run: withVoucher(withdraw) },
];

const HOUR_MS = 60 * 60_000;

interface Shown {
  voucher: { id: VoucherId };
  link: GuestLink;
  slip: SiteSlip;
  site: Site;
}

export const guestLinkVoucherSlots: VoucherSlots = {
  async qr(context, { voucher, slip, site }) {
    const { app, publicUrl, user, language } = context;
    const text = GUEST_LINK_TEXTS[language];
    if (!site.hasGuestPage) return undefined;
    const link = publicUrl === undefined ? undefined : await app.guestLinks.find(voucher.id);
    const isWanting = publicUrl === undefined && user.role === 'admin';
    return {
      name: QR,
      label: text.make,
      panel: link && (() => guestLinkPanel(context, { voucher, link, slip, site })),
      button: publicUrl !== undefined && !link && makeButton(context, voucher.id),
      note: isWanting && note('info', html`${text.lacksUrl} ${toPublicUrl(context)}`),
    };
  },
};

function makeButton(context: AuthenticatedContext, id: VoucherId): Html {
  return html`<form method="post" action="/vouchers/${id}/link">${formToken(context)}<input type="hidden" name="next" value="${hereWithQr(context, QR)}"><button class="chip" type="submit">${GUEST_LINK_TEXTS[context.language].make}</button></form>`;
}

/** The QR code of the link, the link itself and what can be done with it. */
function guestLinkPanel(context: AuthenticatedContext, { voucher, link, slip, site }: Shown): Html {
  const text = GUEST_LINK_TEXTS[context.language];
  const url = linkTo(context, `${GUEST_PATH}/${link.token}`);
  const guestPage = GUEST_PAGE_TEXTS[forGuests(context, slip)[0].language];
  const below = (name: string) => `/vouchers/${voucher.id}/link/${name}`;
  return html`${qrFigure(url, { label: text.qr, hint: text.qrHint })}
<p><code class="said">${url}</code></p><p class="sub">${sayOpened(context, link, site)}. ${text.validUntilEnd}</p>
<div class="actions"><button class="button" type="button" hidden data-share="${guestPage.shared(site.name, url)}">${icon('share')}${text.share}</button>
<button class="button" type="button" hidden data-copy="${url}" data-copied="${context.messages.result.copied}">${icon('copy')}<span>${text.copy}</span></button></div>
<div class="actions"><a class="button quiet" href="${below('renew')}">${text.renew}</a><a class="button quiet risky" href="${below('withdraw')}">${text.withdraw}</a></div>`;
}

/** Only the hour of the last opening is known. */
function sayOpened(
  { language, timeZone }: AuthenticatedContext,
  { openedAtMs }: GuestLink,
  site: Site,
): string {
  const text = GUEST_LINK_TEXTS[language];
  if (openedAtMs === null) return text.notOpened;
  const place = { language, timeZone: zoneOf(site.timeZone, timeZone) };
  const end = sayTimeOfDay(openedAtMs + HOUR_MS, place);
  return text.opened(sayDay(openedAtMs, place), sayTimeOfDay(openedAtMs, place), end);
}

/** Makes the link unless the voucher has one, so that sending the form twice does no harm. */
async function make(context: AuthenticatedContext, voucher: FoundVoucher) {
  if (await mayHaveLink(context, voucher))
    await context.app.guestLinks.add(voucher, makePathToken(), auditContextOf(context));
  return redirect(context, nextOf(context));
}

async function mayHaveLink(
  { app, nowS, publicUrl }: AuthenticatedContext,
  voucher: FoundVoucher,
): Promise<boolean> {
  const site = await app.sites.find(voucher.siteId);
  const isOpen = !hasEnded(stateOf(voucher, nowS));
  return isOpen && site?.hasGuestPage === true && publicUrl !== undefined;
}

function askToRenew(context: AuthenticatedContext, { id, code }: FoundVoucher) {
  const text = GUEST_LINK_TEXTS[context.language];
  return confirm(context, {
    ask: text.renewAsk,
    what: text.renewWhat,
    details: ofVoucher(code),
    action: `/vouchers/${id}/link/renew`,
    button: text.renew,
    back: pageOf(id),
    isHarmless: true,
  });
}

async function renew(context: AuthenticatedContext, voucher: FoundVoucher) {
  const isRenewed = await context.app.guestLinks.renew(voucher, makePathToken(), auditContextOf(context));
  return redirect(context, pageOf(voucher.id), isRenewed ? 'guestLinkRenewed' : undefined);
}

function askToWithdraw(context: AuthenticatedContext, { id, code }: FoundVoucher) {
  const text = GUEST_LINK_TEXTS[context.language];
  return confirm(context, {
    ask: text.withdrawAsk,
    what: text.withdrawWhat,
    details: ofVoucher(code),
    action: `/vouchers/${id}/link/withdraw`,
    button: text.withdraw,
    back: pageOf(id),
  });
}

async function withdraw(context: AuthenticatedContext, voucher: FoundVoucher) {
  await context.app.guestLinks.remove(voucher, auditContextOf(context));
  return redirect(context, `/vouchers/${voucher.id}`, 'guestLinkWithdrawn');
}

function ofVoucher(code: string): Html {
  return html`<p><strong class="code">${formatCode(code)}</strong></p>`;
}

function pageOf(id: VoucherId): string {
  return `/vouchers/${id}?qr=${QR}#qr`;
}
