// Formats and reads speeds and data volumes in the units people use, Mbit/s and GB. They are stored as kbit/s and MB; with
// three decimals every stored value can be shown and read back unchanged.

import type { Language } from '../domain/language.ts';
import { localeOf } from './durations.ts';

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

function sayNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 3 }).format(value);
}

function decimalSign(language: Language): string {
  return sayNumber(HALF, language).replaceAll(/\d/g, '');
}

/** The value of a form field: 2500 → "2,5". */
export function toThousands(value: number, language: Language): string {
  return String(value / PER_UNIT).replace('.', decimalSign(language));
}

/**
 * The opposite of `toThousands`: "2,5" → 2500. Accepts comma and point. The sign that is not the language's own is
 * refused before three digits, where it may separate thousands. Undefined if the text is not such a number.
 */
export function readThousands(text: string, language: Language): number | undefined {
  const [, whole, sign, decimals = ''] = /^(\d{1,9})(?:([.,])(\d{1,3}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (decimals.length === 3 && sign !== decimalSign(language)) return undefined;
  return Number(whole + decimals.padEnd(3, '0'));
}
