// Writes rows as CSV. Spreadsheets open the file without executing formulas from the data.

export type Cell = string | number | null;

/** Spreadsheets recognise UTF-8 by it. */
const BYTE_ORDER_MARK = '\ufeff';
/** At the start, and after a line break or a semicolon, which spreadsheets take for the separator in many languages. */
const FORMULA = /^(?=[=+\-@\t\r\n])|[;\t\r\n]["'\s]*(?=[=+\-@])/g;

export function toCsv(rows: Cell[][]): string {
  return `${BYTE_ORDER_MARK}${rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')}`;
}

/** An apostrophe in front of what looks like a formula makes spreadsheets treat it as text. */
function toCell(value: Cell): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const harmless = text.replace(FORMULA, "$&'");
  return `"${harmless.replaceAll('"', '""')}"`;
}
