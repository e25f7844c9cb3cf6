// Hands a voucher over to the guest: the buttons that show, share, copy and print it, and the text that is shared.

import type { VoucherLimits } from '../../../domain/controller.ts';
import type { VoucherId } from '../../../domain/ids.ts';
import type { SiteSlip } from '../../../domain/sites/slip.ts';
import { formatCode } from '../../../domain/vouchers/voucher.ts';
import { MESSAGES } from '../../../i18n/messages.ts';
import type { PageContext } from '../../http/context.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { withFrom } from './list-link.ts';
import { sayAllowance } from './voucher-details.ts';

/** On the print page, `enhance.js` opens the print dialog at once. */
export const PRINT_NOW = '#now';

interface HandedOver extends VoucherLimits {
  id: VoucherId;
  code: string;
  isDemo: boolean;
}

export function handOverButtons(context: PageContext, voucher: HandedOver, slip: SiteSlip): Html {
  const { result } = context.messages;
  return html`<a class="button" href="${withFrom(context, `/vouchers/${voucher.id}/guest`)}">${icon('screen')}${result.show}</a>
<button class="button" type="button" hidden data-share="${sharedText(forGuests(context, slip)[0], voucher, slip)}">${icon('share')}${result.share}</button>
<button class="button" type="button" hidden data-copy="${formatCode(voucher.code)}" data-copied="${result.copied}">${icon('copy')}<span>${result.copy}</span></button>`;
}

/** Guests read the languages of the site's slips, otherwise the installation's, otherwise the user's. */
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

/** What a guest needs, one fact per line. The Wi-Fi password is not passed on to other apps. */
function sharedText(context: PageContext, voucher: HandedOver, { wifiName }: SiteSlip): string {
  const { onPaper, list, firstSteps } = context.messages;
  return [
    ...(wifiName === '' ? [] : [`${onPaper.wifi}: ${wifiName}`]),
    `${list.code}: ${formatCode(voucher.code)}`,
    sayAllowance(voucher, context),
    ...(voucher.isDemo ? [firstSteps.demoBadge] : []),
  ].join('\n');
}
