// Formats the details of a voucher for all pages: state, uses, end, limits and QR code.

import { drawQr } from '../../../platform/drawing/qr.ts';
import { type Html, html, trusted } from '../../../platform/pages/ui/html.ts';
import { type IconName, icon } from '../../../platform/pages/ui/icons.ts';
import { sayDuration, sayRemaining, sayTime } from '../../../platform/texts/durations.ts';
import { toActorText } from '../../audit/actor.ts';
import type { PageContext } from '../../pages/context.ts';
import { sayEndOfVoucher } from '../texts/allowance.ts';
import { endOfTimeS, nameWithoutDate, type Voucher } from '../voucher.ts';
import type { FoundVoucher } from '../voucher-search.ts';
import { hasEnded, stateOf, type VoucherState } from '../voucher-state.ts';

export const STATE_ICONS = {
  unused: 'new',
  'in-use': 'valid',
  'used-up': 'used',
  expired: 'expired',
  revoked: 'ended',
  deleted: 'ended',
} as const satisfies Record<VoucherState, IconName>;

/** `draw` is `drawnIcon` on pages that have drawn the icons. */
export function voucherStatePill(
  voucher: FoundVoucher,
  { messages, nowS }: PageContext,
  draw: (name: IconName) => Html = icon,
): Html {
  const state = stateOf(voucher, nowS);
  return html`<span class="pill ${state}">${draw(STATE_ICONS[state])}${messages.state[state]}</span>`;
}

/** Marks vouchers of a demo site, which do not give access to any Wi-Fi. */
export function demoPill({ messages }: PageContext): Html {
  return html`<span class="pill demo">${icon('warning')}${messages.demoBadge}</span>`;
}

export function usesOf({ usedCount, maxUses }: Voucher): string {
  return `${usedCount} / ${maxUses === 0 ? '∞' : maxUses}`;
}

/**
 * Before the first use the duration, until the end the remaining time ("5 h 20 min left"), then when it ended. For a
 * voucher with an end of its own, that end.
 */
export function endOf(voucher: FoundVoucher, context: PageContext): Html {
  const { language, timeZone, nowS, messages } = context;
  const state = stateOf(voucher, nowS);
  const timeEndsS = endOfTimeS(voucher);
  const endS = hasEnded(state) && state !== 'expired' ? voucher.endedAtS : (timeEndsS ?? voucher.endedAtS);
  if (endS === null)
    return html`${sayDuration(voucher.expireMinutes, language)} <span class="sub">${messages.list.notBegun}</span>`;
  const { endsAtS, siteTimeZone } = voucher;
  const exact =
    endS === timeEndsS
      ? sayEndOfVoucher(endS, siteTimeZone, context)
      : sayTime(endS * 1000, { language, timeZone });
  const left = endS === endsAtS ? exact : messages.list.left(sayRemaining(endS - nowS, language));
  const text = endS > nowS ? left : exact;
  return html`<span title="${exact}">${text}</span>${
    state === 'deleted' && html` <span class="sub">${messages.list.noticed}</span>`
  }`;
}

/**
 * Explains the state: who revoked the voucher and when, when the service noticed that the voucher had been deleted, or
 * that no further device can log in.
 */
export function stateNote(voucher: FoundVoucher, context: PageContext): Html | false {
  const { revokedAtS, revokedBy, endedAtS } = voucher;
  const { messages, language, timeZone, nowS } = context;
  const { bulkRevocation: text, list } = messages;
  const time = (seconds: number) => sayTime(seconds * 1000, { language, timeZone });
  if (revokedAtS !== null) {
    const at = time(revokedAtS);
    return html`<p class="soft">${revokedBy ? text.by(revokedBy.name, at) : text.at(at)}</p>`;
  }
  const state = stateOf(voucher, nowS);
  if (state === 'used-up') return html`<p class="soft">${list.full}</p>`;
  return (
    state === 'deleted' && endedAtS !== null && html`<p class="soft">${text.noticed(time(endedAtS))}</p>`
  );
}

/** Says that a device may stay online after the voucher's own end, if its controller cannot disconnect devices. */
export async function lateNote(voucher: FoundVoucher, context: PageContext): Promise<Html | false> {
  const { app, messages, nowS } = context;
  const state = stateOf(voucher, nowS);
  if (voucher.endsAtS === null || state === 'revoked' || state === 'deleted') return false;
  return !(await app.devices.canDisconnect(voucher)) && html`<p class="soft">${messages.list.late}</p>`;
}

/** Says who created the voucher: a user, an API key, a command, the controller, or somebody unknown. */
export function madeBy({ ownerName, createdBy }: FoundVoucher, { messages }: PageContext): string {
  const { list, admin } = messages;
  if (ownerName !== null) return ownerName || list.removedUser;
  if (createdBy === null) return list.nobody;
  if (createdBy.kind === 'controller') return list.onController;
  if (createdBy.kind === 'command') return admin.audit.actors.command(createdBy.name);
  return createdBy.kind === 'user' ? createdBy.name : toActorText(createdBy);
}

/** The name without the date prefix that it has on the controller. */
export function shownName({ name }: Pick<Voucher, 'name'>): string {
  return nameWithoutDate({ name });
}

/** The QR code is black on white with a quiet zone, so that cameras can read it in any theme. */
export function qrOf(text: string, label: string): Html {
  const { size, path } = drawQr(text);
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">${trusted(`<path fill="#000" d="${path}"/>`)}</svg>`;
}

/** A QR code with a label that says what it does. */
export function qrFigure(text: string, { label, hint }: { label: string; hint: string }): Html {
  return html`<figure class="one-qr">${qrOf(text, label)}<figcaption><strong>${label}</strong><span class="sub">${hint}</span></figcaption></figure>`;
}
