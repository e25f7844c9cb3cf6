// Prepares what a rolling code shows, as a picture and for programs: combines the voucher with the Wi-Fi and the
// language of its site.

import { guestLanguagesOf } from '../../../kernel/guest-language.ts';
import type { Profile } from '../../../kernel/profiles/profile.ts';
import { joinText } from '../../../kernel/slips/join-text.ts';
import type { SiteSlip } from '../../../kernel/slips/slip.ts';
import { sayAllowance } from '../../../kernel/vouchers/texts/allowance.ts';
import { GUEST_TEXTS } from '../../../kernel/vouchers/texts/guest-texts.ts';
import { formatCode } from '../../../kernel/vouchers/voucher.ts';
import type { Language } from '../../../platform/text/language.ts';
import { limitsOf } from '../../reserve/plan-stock.ts';
import type { RollingLook, RollingState } from '../rolling-code.ts';
import { ROLLING_TEXTS } from '../rolling-texts.ts';
import type { CodePicture } from './code-picture.ts';

export interface RollingSources {
  slip: SiteSlip;
  /** The language of the installation. */
  language: Language | null;
  /** The time zone of the service. */
  timeZone: string;
}

type Size = Pick<CodePicture, 'width' | 'height'>;

export function prepareCodePicture(look: RollingLook, sources: RollingSources, size: Size): CodePicture {
  const { screen, state, voucher } = look;
  const { slip, timeZone } = sources;
  const language = guestLanguagesOf(slip.languages, sources.language)[0];
  const messages = GUEST_TEXTS[language];
  const { onPaper } = messages;
  const join = joinText(slip);
  return {
    ...size,
    language,
    mark: screen.isDemo ? messages.demoBadge : undefined,
    site: screen.siteName,
    code: voucher && formatCode(voucher.code),
    message: state === 'ready' ? '' : ROLLING_TEXTS[language][state],
    allowance: voucher ? sayAllowance(voucher, { language, timeZone, nowMs: screen.nowMs }) : '',
    wifi: [
      ...(slip.wifiName === '' ? [] : [`${onPaper.wifi}: ${slip.wifiName}`]),
      ...(slip.wifiPassword === null ? [] : [`${onPaper.password}: ${slip.wifiPassword}`]),
    ],
    qr: join === undefined ? undefined : { text: join, caption: onPaper.join },
  };
}

/** Without a code, the limits are those that the next code will have. */
export function describeRollingCode(
  { screen, state, voucher }: RollingLook,
  { slip, profiles }: { slip: SiteSlip; profiles: Profile[] },
): DescribedRollingCode {
  const { maxUses, expireMinutes } = voucher ?? limitsOf(screen, profiles);
  return {
    code: voucher?.code ?? null,
    formatted_code: voucher ? formatCode(voucher.code) : null,
    site: screen.siteName,
    valid_minutes: expireMinutes,
    devices: maxUses,
    wifi: joinText(slip) ?? null,
    state,
  };
}

/** Its fields are named in docs/screens.md, because programs of others read them. */
export interface DescribedRollingCode {
  code: string | null;
  formatted_code: string | null;
  site: string;
  valid_minutes: number;
  devices: number;
  /** The text of the QR code that joins the Wi-Fi. */
  wifi: string | null;
  state: RollingState;
}
