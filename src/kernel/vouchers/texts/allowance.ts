// Says what a voucher, an order or a profile allows: for how many devices, how long, how fast and how much.

import type { Language } from '../../../platform/text/language.ts';
import { saySpeed, sayVolume } from '../../../platform/texts/amounts.ts';
import { sayDuration, sayEnd } from '../../../platform/texts/durations.ts';
import type { VoucherLimits } from '../../controllers/controller.ts';
import type { NewProfile } from '../../profiles/profile.ts';
import { zoneOf } from '../nights.ts';
import { GUEST_TEXTS } from './guest-texts.ts';

/** The end that was ordered for a voucher, if it has one. */
export interface OwnEnd {
  endsAtS?: number | null;
  siteTimeZone?: string | null;
}

export type Allowance = VoucherLimits & OwnEnd & Pick<NewProfile, 'nights'>;

/** The reader's language and time. `timeZone` counts for a site that has none of its own. */
export interface Reader {
  language: Language;
  timeZone: string;
  nowMs: number;
}

/** In the time zone of the site: "Fr., 20. Nov., 11:00". */
export function sayEndOfVoucher(
  endsAtS: number,
  siteTimeZone: string | null,
  { language, timeZone, nowMs }: Reader,
): string {
  return sayEnd(endsAtS * 1000, { language, timeZone: zoneOf(siteTimeZone, timeZone) }, nowMs);
}

/** The limits in one line: "1 device, 8 hours from first use, ↓ 10 Mbit/s". */
export function sayAllowance(limits: Allowance, reader: Reader): string {
  return [
    GUEST_TEXTS[reader.language].devices(limits.maxUses),
    sayValidity(limits, reader),
    ...sayAmounts(limits, reader),
  ].join(', ');
}

/** Speeds and volume, as far as they are limited. */
export function sayAmounts(
  { downKbps, upKbps, quotaMb }: VoucherLimits,
  { language }: Pick<Reader, 'language'>,
): string[] {
  const speed = (kbps: number, sign: string) =>
    kbps === 0 ? '' : `${sign}\u00a0${saySpeed(kbps, language)}`;
  return [speed(downKbps, '↓'), speed(upKbps, '↑'), quotaMb === 0 ? '' : sayVolume(quotaMb, language)].filter(
    Boolean,
  );
}

function sayValidity(
  { expireMinutes, endsAtS = null, siteTimeZone = null, nights }: Allowance,
  reader: Reader,
): string {
  const { language } = reader;
  const text = GUEST_TEXTS[language];
  if (nights) return text.forNights(nights);
  return endsAtS === null
    ? text.fromFirstUse(sayDuration(expireMinutes, language))
    : text.validUntil(sayEndOfVoucher(endsAtS, siteTimeZone, reader));
}
