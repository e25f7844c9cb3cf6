// Formats durations and times in the user's language.

import type { Language } from '../text/language.ts';

const UNITS: { minutes: number; unit: Intl.NumberFormatOptions['unit'] }[] = [
  { minutes: 7 * 24 * 60, unit: 'week' },
  { minutes: 24 * 60, unit: 'day' },
  { minutes: 60, unit: 'hour' },
  { minutes: 1, unit: 'minute' },
];

/** Regions whose formats are used for a language. English dates are British: 15 Nov 2026, 15:36. */
const REGIONS: Partial<Record<Language, string>> = { en: 'en-GB' };

/** The locale that is passed to `Intl` to format dates and numbers in a language. */
export function localeOf(language: Language): string {
  return REGIONS[language] ?? language;
}

/** Creating a formatter is slow, so each formatter is created only once and then reused. */
const unitFormats = new Map<string, Intl.NumberFormat>();
const timeFormats = new Map<string, Intl.DateTimeFormat>();

export function kept<Format>(formats: Map<string, Format>, name: string, make: () => Format): Format {
  let format = formats.get(name);
  if (format === undefined) {
    format = make();
    formats.set(name, format);
  }
  return format;
}

function sayUnits(
  value: number,
  language: Language,
  { unit, unitDisplay }: Intl.NumberFormatOptions,
): string {
  return kept(
    unitFormats,
    `${language} ${unit} ${unitDisplay}`,
    () => new Intl.NumberFormat(language, { style: 'unit', unitDisplay, unit }),
  ).format(value);
}

/** The exact duration in the largest unit that needs no fraction: 480 → "8 hours". */
export function sayDuration(minutes: number, language: Language): string {
  const { minutes: size, unit } = UNITS.find(
    (one) => minutes >= one.minutes && minutes % one.minutes === 0,
  ) ?? {
    minutes: 1,
    unit: 'minute',
  };
  return sayUnits(minutes / size, language, { unit, unitDisplay: 'long' });
}

/** Keeps a date, or a number with its unit, on one line. */
const inOnePiece = (text: string) => text.replaceAll(' ', '\u00a0');

/** The time that the user must wait: in seconds up to two minutes, otherwise in minutes. */
export function sayWait(seconds: number, language: Language): string {
  return seconds <= 120
    ? sayUnits(seconds, language, { unit: 'second', unitDisplay: 'long' })
    : sayUnits(Math.ceil(seconds / 60), language, { unit: 'minute', unitDisplay: 'long' });
}

/** The remaining time in its two largest units: "3 h 20 min". */
export function sayRemaining(seconds: number, language: Language): string {
  const minutes = Math.max(0, Math.ceil(seconds / 60));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  const number = (value: number, unit: 'day' | 'hour' | 'minute') =>
    inOnePiece(sayUnits(value, language, { unit, unitDisplay: unit === 'day' ? 'long' : 'short' }));
  const parts =
    days > 0
      ? [number(days, 'day'), hours > 0 ? number(hours, 'hour') : '']
      : [
          hours > 0 ? number(hours, 'hour') : '',
          minutes % 60 > 0 || hours === 0 ? number(minutes % 60, 'minute') : '',
        ];
  return parts.filter(Boolean).join(' ');
}

interface Place {
  language: Language;
  timeZone: string;
}

export function sayTime(ms: number, { language, timeZone }: Place): string {
  const format = kept(
    timeFormats,
    `${language} ${timeZone}`,
    () => new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short', timeZone }),
  );
  return inOnePiece(format.format(ms));
}

/** Only the time of day: "11:00". */
export function sayTimeOfDay(ms: number, { language, timeZone }: Place): string {
  return kept(
    timeFormats,
    `${language} ${timeZone} time of day`,
    () => new Intl.DateTimeFormat(localeOf(language), { timeStyle: 'short', timeZone }),
  ).format(ms);
}

/** When a voucher ends: "Fr., 20. Nov., 11:00". Names the year only if it is another one than now. */
export function sayEnd(ms: number, { language, timeZone }: Place, nowMs: number): string {
  const year = (time: number) =>
    kept(
      timeFormats,
      `${timeZone} year`,
      () => new Intl.DateTimeFormat('en', { year: 'numeric', timeZone }),
    ).format(time);
  const isOtherYear = year(ms) !== year(nowMs);
  const format = kept(
    timeFormats,
    `${language} ${timeZone} end ${isOtherYear}`,
    () =>
      new Intl.DateTimeFormat(localeOf(language), {
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        ...(isOtherYear && { year: 'numeric' }),
        hour: '2-digit',
        minute: '2-digit',
        timeZone,
      }),
  );
  return inOnePiece(format.format(ms));
}

export function sayDay(ms: number, { language, timeZone }: Place): string {
  const format = kept(
    timeFormats,
    `${language} ${timeZone} day`,
    () => new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeZone }),
  );
  return inOnePiece(format.format(ms));
}

/** A date without its year, for charts. Some languages shorten the name of the month, others use its number. */
export function sayShortDay(ms: number, { language, timeZone }: Place, month: 'numeric' | 'short'): string {
  return kept(
    timeFormats,
    `${language} ${timeZone} ${month}`,
    () => new Intl.DateTimeFormat(localeOf(language), { day: 'numeric', month, timeZone }),
  ).format(ms);
}
