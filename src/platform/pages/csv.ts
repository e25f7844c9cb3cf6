// Writes rows as CSV. Formulas in the data are changed into text, so that spreadsheet programs do not execute them.

export type Cell = string | number | null;

/** Spreadsheet programs recognise UTF-8 by this mark at the start of the file. */
const BYTE_ORDER_MARK = '\ufeff';
/**
 * Matches where a formula could begin: at the start of a cell, or after a line break, tab or semicolon. In many
 * languages, spreadsheet programs use the semicolon as the separator of cells. Some read full-width signs
 * like the usual ones.
 */
const FORMULA = /^(?=[=+\-@＝＋－＠\t\r\n])|[;\t\r\n]["'\s]*(?=[=+\-@＝＋－＠])/g;

export function toCsv(rows: Cell[][]): string {
  return `${BYTE_ORDER_MARK}${rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')}`;
}

/** Puts an apostrophe in front of a possible formula, so that spreadsheet programs treat the formula as text. */
function toCell(value: Cell): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const harmless = text.replace(FORMULA, "$&'");
  return `"${harmless.replaceAll('"', '""')}"`;
}
