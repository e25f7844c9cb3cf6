// The QR codes of a voucher for the staff, one at a time, so that a camera reads the right one: for joining the Wi-Fi,
// for the code, and for the guest page. Links and a button switch between them.

import { GUEST_LINK_TEXTS } from '../../../features/guest-pages/guest-page-texts.ts';
import { guestLinkPanel } from '../../../features/guest-pages/pages/guest-link.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { VoucherId } from '../../ids.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { formToken } from '../../pages/layout.ts';
import { note } from '../../pages/message.ts';
import { toPublicUrl } from '../../pages/only-here-note.ts';
import type { Site } from '../../sites/site.ts';
import { joinText } from '../../slips/join-text.ts';
import type { SiteSlip } from '../../slips/slip.ts';
import { withFrom } from './list-link.ts';
import { qrFigure } from './voucher-details.ts';

interface Shown {
  voucher: { id: VoucherId; code: string };
  slip: SiteSlip;
  site: Site;
}

type QrName = 'wifi' | 'code' | 'link';

export async function qrChoice(context: AuthenticatedContext, shown: Shown): Promise<Html> {
  const { app, messages, publicUrl, query, user, language } = context;
  const { voucher, slip, site } = shown;
  const { result } = messages;
  const text = GUEST_LINK_TEXTS[language];
  const join = joinText(slip);
  const link = isOffered(context, site) ? await app.guestLinks.find(voucher.id) : undefined;
  const names: QrName[] = [
    ...(join ? (['wifi'] as const) : []),
    'code',
    ...(link ? (['link'] as const) : []),
  ];
  const name = names.find((one) => one === query.get('qr')) ?? names[0];
  const labels = { ...result.qrNames, link: text.make };
  const makeLink =
    isOffered(context, site) &&
    !link &&
    html`<form method="post" action="/vouchers/${voucher.id}/link">${formToken(context)}<input type="hidden" name="next" value="${here(context, 'link')}"><button class="chip" type="submit">${text.make}</button></form>`;
  const choices = html`<div class="chips" role="group" aria-label="${result.qrs}">${names.map(
    (one) =>
      html`<a class="chip" href="${here(context, one)}"${one === name && html` aria-current="true"`}>${labels[one]}</a>`,
  )}${makeLink}</div>`;
  const isWanting = site.hasGuestPage && publicUrl === undefined && user.role === 'admin';
  return html`<div class="qr-choice" id="qr">${(names.length > 1 || makeLink) && choices}${
    link && name === 'link'
      ? guestLinkPanel(context, { voucher, link, slip, site })
      : name === 'wifi' && join
        ? qrFigure(join, { label: result.qrJoin, hint: result.qrJoinHint })
        : qrFigure(voucher.code, { label: result.qrCode, hint: result.qrCodeHint })
  }${isWanting && note('info', html`${text.lacksUrl} ${toPublicUrl(context)}`)}</div>`;
}

/** Without the public address, the link would not work on the guest's device. */
function isOffered({ publicUrl }: AuthenticatedContext, site: Site): boolean {
  return site.hasGuestPage && publicUrl !== undefined;
}

/** The address of this page with another QR code. */
function here(context: AuthenticatedContext, name: QrName): string {
  return `${withFrom(context, `${context.path}?qr=${name}`)}#qr`;
}
