// Rows as CSV that spreadsheets open without running anything in them.

export type Cell = string | number | null;

/** Spreadsheets tell UTF-8 by it. */
const BYTE_ORDER_MARK = '\ufeff';
const FORMULA = /^[=+\-@\t\r\n]/;

export function toCsv(rows: Cell[][]): string {
  return `${BYTE_ORDER_MARK}${rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')}`;
}

/** What begins like a formula is kept from being one. */
function toCell(value: Cell): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
