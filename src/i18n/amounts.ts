// Formats and reads speeds and data volumes in the units people use, Mbit/s and GB. They are stored as kbit/s and MB; with
// three decimals every stored value can be shown and read back unchanged.

import type { Language } from '../domain/language.ts';
import { REGIONS } from './durations.ts';

const PER_UNIT = 1_000;
const DECIMAL_SIGN = { de: ',', en: '.' } as const satisfies Record<Language, string>;

export function saySpeed(kbps: number, language: Language): string {
  return `${sayNumber(kbps / PER_UNIT, language)}\u00a0Mbit/s`;
}

export function sayVolume(mb: number, language: Language): string {
  return mb < PER_UNIT
    ? `${sayNumber(mb, language)}\u00a0MB`
    : `${sayNumber(mb / PER_UNIT, language)}\u00a0GB`;
}

function sayNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(REGIONS[language], { maximumFractionDigits: 3 }).format(value);
}

/** The value of a form field: 2500 → "2,5". */
export function toThousands(value: number, language: Language): string {
  return String(value / PER_UNIT).replace('.', DECIMAL_SIGN[language]);
}

/**
 * The opposite of `toThousands`: "2,5" → 2500. Accepts comma and point. The sign of the other language is
 * refused before three digits, where it may separate thousands. Undefined if the text is not such a number.
 */
export function readThousands(text: string, language: Language): number | undefined {
  const [, whole, sign, decimals = ''] = /^(\d{1,9})(?:([.,])(\d{1,3}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (decimals.length === 3 && sign !== DECIMAL_SIGN[language]) return undefined;
  return Number(whole + decimals.padEnd(3, '0'));
}
