// Returns the calendar date of a moment in a time zone. The date prefixes every stored voucher name.

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

export function calendarDate(momentMs: number, timeZone: string): string {
  return formatFor(timeZone).format(momentMs);
}
