// Calendar dates in a time zone, for the date before every stored voucher name and for the expiry dates of API keys.

const DAY_MS = 24 * 60 * 60_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    // The Swedish locale formats dates as ISO 8601.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
    formats.set(timeZone, format);
  }
  return format;
}

const MINUTE_MS = 60_000;
let newest = { minute: Number.NaN, timeZone: '', date: '' };

/**
 * Reuses the last result until the minute ends, because formatting a date is slow. The date cannot change within a
 * minute.
 */
export function calendarDate(momentMs: number, timeZone: string): string {
  const minute = Math.floor(momentMs / MINUTE_MS);
  if (minute !== newest.minute || timeZone !== newest.timeZone)
    newest = { minute, timeZone, date: formatFor(timeZone).format(momentMs) };
  return newest.date;
}

/** The moment at which a day (YYYY-MM-DD) begins in a time zone: the end of the day before. */
export function startOfDayMs(day: string, timeZone: string): number | undefined {
  const midnightMs = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(midnightMs)
    ? undefined
    : endOfDayMs(calendarDate(midnightMs - DAY_MS, 'UTC'), timeZone);
}

const MAX_KNOWN_ENDS = 100;
const knownEnds = new Map<string, number>();

/** The moment at which a day (YYYY-MM-DD) ends in a time zone; undefined if there is no such day. */
export function endOfDayMs(day: string, timeZone: string): number | undefined {
  const name = `${day} ${timeZone}`;
  const known = knownEnds.get(name);
  if (known !== undefined) return known;
  const end = searchEndOfDay(day, timeZone);
  if (end === undefined) return undefined;
  // Each search formats dozens of dates, so the results are kept.
  if (knownEnds.size >= MAX_KNOWN_ENDS) knownEnds.clear();
  knownEnds.set(name, end);
  return end;
}

function searchEndOfDay(day: string, timeZone: string): number | undefined {
  const midnightMs = /^[12]\d{3}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(midnightMs) || calendarDate(midnightMs, 'UTC') !== day) return undefined;
  // In every time zone, the day ends between these two moments. A binary search finds the end without any knowledge of
  // the zone's clock changes.
  let [before, after] = [midnightMs, midnightMs + 2 * DAY_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (calendarDate(middle, timeZone) > day) after = middle;
    else before = middle;
  }
  return after;
}
