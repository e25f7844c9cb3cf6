// The QR codes of a voucher for the staff, one at a time, so that a camera reads the right one: for joining the Wi-Fi,
// for the code, and those of features. Links and buttons switch between them.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { joinText } from '../../slips/join-text.ts';
import { withFrom } from './list-link.ts';
import { qrFigure } from './voucher-details.ts';
import { fromSlots, type ShownVoucher } from './voucher-slots.ts';

export async function qrChoice(context: AuthenticatedContext, shown: ShownVoucher): Promise<Html> {
  const { query } = context;
  const { result } = context.messages;
  const { voucher, slip } = shown;
  const join = joinText(slip);
  const others = await fromSlots(context, (slots) => slots.qr?.(context, shown));
  const own = (name: 'wifi' | 'code', text: string, says: Parameters<typeof qrFigure>[1]) => ({
    name,
    label: result.qrNames[name],
    panel: () => qrFigure(text, says),
  });
  const qrs = [
    ...(join ? [own('wifi', join, { label: result.qrJoin, hint: result.qrJoinHint })] : []),
    own('code', voucher.code, { label: result.qrCode, hint: result.qrCodeHint }),
    ...others.flatMap(({ name, label, panel }) => (panel ? { name, label, panel } : [])),
  ];
  const chosen = qrs.find(({ name }) => name === query.get('qr')) ?? qrs[0];
  const buttons = others.flatMap(({ button }) => button || []);
  const choices = html`<div class="chips" role="group" aria-label="${result.qrs}">${qrs.map(
    (one) =>
      html`<a class="chip" href="${hereWithQr(context, one.name)}"${one === chosen && html` aria-current="true"`}>${one.label}</a>`,
  )}${buttons}</div>`;
  return html`<div class="qr-choice" id="qr">${(qrs.length > 1 || buttons.length > 0) && choices}${chosen?.panel()}${others.map(({ note }) => note)}</div>`;
}

/** The address of this page with another QR code. */
export function hereWithQr(context: AuthenticatedContext, name: string): string {
  return `${withFrom(context, `${context.path}?qr=${name}`)}#qr`;
}
