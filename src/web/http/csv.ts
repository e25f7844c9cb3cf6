// Writes rows as CSV. Spreadsheets open the file without executing formulas from the data.

export type Cell = string | number | null;

/** Spreadsheets recognise UTF-8 by it. */
const BYTE_ORDER_MARK = '\ufeff';
const FORMULA = /^[=+\-@\t\r\n]/;

export function toCsv(rows: Cell[][]): string {
  return `${BYTE_ORDER_MARK}${rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')}`;
}

/** Text that starts like a formula gets a leading apostrophe, so that spreadsheets treat it as text. */
function toCell(value: Cell): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
