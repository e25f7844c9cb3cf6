// Reads times of a MySQL dump, such as `2026-01-15 09:40:00`. They are in the offset that the dump sets or, if it sets
// none, in a given time zone.

const TIME = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)/;
const OFFSET = /^([+-])(\d\d):(\d\d)$/;

/** `zone`: an offset such as `+00:00`, or null for times in `timeZone`. Returns null if `text` is no time. */
export function readDumpTime(
  text: string | null | undefined,
  { zone, timeZone }: { zone: string | null; timeZone: string },
): number | null {
  const [, ...parts] = TIME.exec(text ?? '') ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  // MySQL writes 0000-00-00 for an unknown time.
  if (month < 1 || day < 1) return null;
  const asUtcMs = Date.UTC(year, month - 1, day, hour, minute, second);
  const [, sign, hours, minutes] = OFFSET.exec(zone ?? '') ?? [];
  if (sign) return asUtcMs - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const offsetMs = offsetAt(asUtcMs, timeZone);
  // Near a daylight saving change, `offsetMs` may be wrong, so the offset is determined again at the better estimate.
  return asUtcMs - offsetAt(asUtcMs - offsetMs, timeZone);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetAt(atMs: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    // The Swedish locale formats times as ISO 8601.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(timeZone, format);
  }
  return Date.parse(`${format.format(atMs).replace(' ', 'T')}Z`) - Math.floor(atMs / 1000) * 1000;
}
