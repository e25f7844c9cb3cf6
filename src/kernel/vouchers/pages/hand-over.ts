// Ways to give a voucher to a guest: the buttons that show it, share it or copy its code, and the text that is shared.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import type { VoucherLimits } from '../../controllers/controller.ts';
import type { VoucherId } from '../../ids.ts';
import type { PageContext } from '../../pages/context.ts';
import type { SiteSlip } from '../../slips/slip.ts';
import { MESSAGES } from '../../texts/messages.ts';
import { type OwnEnd, sayAllowance } from '../texts/allowance.ts';
import { formatCode } from '../voucher.ts';
import { withFrom } from './list-link.ts';
import type { PrintWay } from './voucher-slots.ts';

interface HandedOver extends VoucherLimits, OwnEnd {
  id: VoucherId;
  code: string;
  isDemo: boolean;
}

interface Ways {
  slip: SiteSlip;
  /** Its button stands first if printing is the most likely next step. */
  print: PrintWay;
  /** What features add. */
  parts: { button?: Html | false | undefined }[];
}

/** If the URL of the print page ends with this hash, `enhance.js` immediately opens the print dialog. */
export const PRINT_NOW = '#now';

/** Prints on paper, unless a feature prints at another place. */
export function printWayOf(
  { messages }: PageContext,
  parts: { print?: PrintWay | undefined }[],
  printPage: string,
): PrintWay {
  const button = (isPrimary: boolean) =>
    html`<a class="button${isPrimary && ' primary'}" href="${printPage}${PRINT_NOW}">${icon('print')}${messages.result.print}</a>`;
  return parts.find(({ print }) => print)?.print ?? { isPrimary: false, button };
}

export function handOverButtons(
  context: PageContext,
  voucher: HandedOver,
  { slip, print, parts }: Ways,
): Html {
  const { result } = context.messages;
  return html`${print.isPrimary && print.button(true)}<a class="button${!print.isPrimary && ' primary'}" href="${withFrom(context, `/vouchers/${voucher.id}/guest`)}">${icon('screen')}${result.show}</a>
<button class="button" type="button" hidden data-share="${sharedText(forGuests(context, slip)[0], voucher, slip)}">${icon('share')}${result.share}</button>
<button class="button" type="button" hidden data-copy="${formatCode(voucher.code)}" data-copied="${result.copied}">${icon('copy')}<span>${result.copy}</span></button>
${!print.isPrimary && print.button(false)}${parts.map(({ button }) => button)}`;
}

/** Contexts in the guests' languages: those of the site's slips, or else of the installation, or else of the user. */
export function forGuests<Context extends PageContext>(
  context: Context,
  { languages }: SiteSlip,
): [Context, ...Context[]] {
  const [first = context.settings.language ?? context.language, ...others] = languages ?? [];
  const inLanguage = (language: Context['language']) => ({
    ...context,
    language,
    messages: MESSAGES[language],
  });
  return [inLanguage(first), ...others.map(inLanguage)];
}

/** The text that is shared with a guest. It is passed to other apps, so it does not contain the Wi-Fi password. */
function sharedText(context: PageContext, voucher: HandedOver, { wifiName }: SiteSlip): string {
  const { onPaper, list, demoBadge } = context.messages;
  return [
    ...(wifiName === '' ? [] : [`${onPaper.wifi}: ${wifiName}`]),
    `${list.code}: ${formatCode(voucher.code)}`,
    sayAllowance(voucher, context),
    ...(voucher.isDemo ? [demoBadge] : []),
  ].join('\n');
}
