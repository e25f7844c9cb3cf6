// Formats and reads speeds and data volumes in the units people use, Mbit/s and GB. Speeds are stored in kbit/s and
// volumes in MB. Three decimals are enough to show every stored value exactly.

import type { Language } from '../text/language.ts';
import { kept, localeOf } from './durations.ts';

const PER_UNIT = 1_000;
const HALF = 0.5;

export function saySpeed(kbps: number, language: Language): string {
  return `${sayNumber(kbps / PER_UNIT, language)}\u00a0Mbit/s`;
}

export function sayVolume(mb: number, language: Language): string {
  return mb < PER_UNIT
    ? `${sayNumber(mb, language)}\u00a0MB`
    : `${sayNumber(mb / PER_UNIT, language)}\u00a0GB`;
}

const formats = new Map<string, Intl.NumberFormat>();

function sayNumber(value: number, language: Language): string {
  return kept(
    formats,
    language,
    () => new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 3 }),
  ).format(value);
}

function decimalSign(language: Language): string {
  return sayNumber(HALF, language).replaceAll(/\d/g, '');
}

/** Formats a stored value in the larger unit, for a form field: 2500 → "2,5" in German. */
export function toThousands(value: number, language: Language): string {
  return String(value / PER_UNIT).replace('.', decimalSign(language));
}

/**
 * The opposite of `toThousands`: "2,5" → 2500. Accepts both comma and point as the decimal sign. "2.500" is refused in
 * German and "2,500" in English, because the sign may separate thousands. Returns undefined for refused texts.
 */
export function readThousands(text: string, language: Language): number | undefined {
  const [, whole, sign, decimals = ''] = /^(\d{1,9})(?:([.,])(\d{1,3}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (decimals.length === 3 && sign !== decimalSign(language)) return undefined;
  return Number(whole + decimals.padEnd(3, '0'));
}
