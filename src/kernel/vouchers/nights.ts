// When a voucher for some nights ends: at the check-out time of its site. Local times follow the site's time zone and
// its changes between standard and summer time.

import { calendarDate } from '../../platform/time/calendar-date.ts';
import { toWholeSeconds } from '../../platform/time/clock.ts';

export const DEFAULT_CHECK_OUT = '11:00';
export const MAX_NIGHTS = 365;

/** The check-out time (HH:MM) and the time zone of a site. */
export interface LocalCheckOut {
  checkOut: string;
  timeZone: string;
}

/** A time zone that this machine does not know counts as not set. */
export function checkOutOf(
  { checkOut, timeZone }: { checkOut: string; timeZone: string | null },
  serviceTimeZone: string,
): LocalCheckOut {
  return {
    checkOut: isTimeOfDay(checkOut) ? checkOut : DEFAULT_CHECK_OUT,
    timeZone: zoneOf(timeZone, serviceTimeZone),
  };
}

export function zoneOf(siteTimeZone: string | null, serviceTimeZone: string): string {
  return siteTimeZone !== null && isTimeZone(siteTimeZone) ? siteTimeZone : serviceTimeZone;
}

const DAY_MS = 24 * 60 * 60_000;

/** The check-out on the n-th calendar day after today. Before dawn, too, today is the date that the calendar shows. */
export function checkOutAfterS(nowMs: number, nights: number, { checkOut, timeZone }: LocalCheckOut): number {
  const today = Date.parse(`${calendarDate(nowMs, timeZone)}T${checkOut}Z`);
  return toWholeSeconds(momentOfLocal(today + nights * DAY_MS, timeZone));
}

/**
 * Reads `2026-03-29` (until check-out), `2026-03-29T10:30` (local time) or a time of RFC 3339. Undefined if the text is
 * none of these, or if the calendar has no such day.
 */
export function readEndS(text: string, { checkOut, timeZone }: LocalCheckOut): number | undefined {
  const [, date = '', time = checkOut, seconds = ':00', zone] = END.exec(text.trim().toUpperCase()) ?? [];
  const localMs = toLocalMs(date, time);
  if (localMs === undefined) return undefined;
  if (zone === undefined) return toWholeSeconds(momentOfLocal(localMs, timeZone));
  const momentMs = Date.parse(`${date}T${time}${seconds}${zone}`);
  return Number.isNaN(momentMs) ? undefined : toWholeSeconds(momentMs);
}

/** Date; time; seconds and zone, which only a time of RFC 3339 has. */
const END = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?:(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d))?)?$/;

function toLocalMs(date: string, time: string): number | undefined {
  const localMs = Date.parse(`${date}T${time}Z`);
  const exists = isTimeOfDay(time) && !Number.isNaN(localMs) && calendarDate(localMs, 'UTC') === date;
  return exists ? localMs : undefined;
}

export function isTimeOfDay(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}

const MAX_KNOWN_ZONES = 100;
/** Asking `Intl` takes half a millisecond, and every line of a list asks. */
const knownZones = new Map<string, boolean>();

export function isTimeZone(text: string): boolean {
  const known = knownZones.get(text);
  if (known !== undefined) return known;
  if (knownZones.size >= MAX_KNOWN_ZONES) knownZones.clear();
  const isZone = isZoneOfIntl(text);
  knownZones.set(text, isZone);
  return isZone;
}

function isZoneOfIntl(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** The whole minutes from now until the end, rounded up; 0 or less if the end has passed. */
export function minutesUntil(endsAtS: number, nowMs: number): number {
  return Math.ceil((endsAtS - nowMs / 1000) / 60);
}

/**
 * The moment at which clocks in the zone show a local time, which is given as if it were UTC. If clocks show the time
 * twice, the first of the two moments. If they skip it, the moment at which they go on.
 */
function momentOfLocal(localMs: number, timeZone: string): number {
  const offsetBefore = offsetMs(localMs - DAY_MS, timeZone);
  const offsetAfter = offsetMs(localMs + DAY_MS, timeZone);
  // After clocks are set back, the offset is smaller: the moment with the offset before the change comes first.
  for (const moment of [localMs - offsetBefore, localMs - offsetAfter])
    if (moment + offsetMs(moment, timeZone) === localMs) return moment;
  return changeBetween(localMs - offsetAfter, localMs - offsetBefore, timeZone);
}

/** The moment of the only change of the offset between two moments. */
function changeBetween(fromMs: number, toMs: number, timeZone: string): number {
  const offset = offsetMs(fromMs, timeZone);
  let [before, after] = [fromMs, toMs];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetMs(middle, timeZone) === offset) before = middle;
    else after = middle;
  }
  return after;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far local time is ahead of UTC at a moment. */
function offsetMs(momentMs: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    // The Swedish locale formats dates as ISO 8601.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(timeZone, format);
  }
  const wholeMs = Math.floor(momentMs / 1000) * 1000;
  return Date.parse(`${format.format(wholeMs).replace(' ', 'T')}Z`) - wholeMs;
}
