// Prints the output of commands: lines and aligned columns to read, or JSON for programs. Names and error texts in it come
// from anywhere: they can neither begin a line nor control the terminal. All commands print through this file.

import { escapeControls, withoutControls } from '../domain/control-characters.ts';
import { NOT_KNOWN_HERE, UNKNOWN } from '../domain/unknown-value.ts';

/** Each text becomes one line, whatever it contains. */
export function print(...lines: string[]): void {
  console.log(lines.map(withoutControls).join('\n'));
}

/** For errors and warnings, as `print` does. */
export function printError(...lines: string[]): void {
  console.error(lines.map(withoutControls).join('\n'));
}

export function printTable(rows: Record<string, unknown>[], whenEmpty: string): void {
  const [first] = rows;
  if (!first) {
    print(whenEmpty);
    return;
  }
  const names = Object.keys(first);
  const cells = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => show(row[name]))),
  ];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of cells)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

export function printJson(value: unknown): void {
  console.log(escapeControls(JSON.stringify(value, null, 2)));
}

/** For example `1 row` and `2,500 rows`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

export function toTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** The value of a closed set, in words if only a newer release knows it. */
export function sayKnown(value: string): string {
  return value === UNKNOWN ? NOT_KNOWN_HERE : value;
}

function show(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  // Before the width of its column is measured.
  return withoutControls(String(value));
}

/** After a copy of data that an earlier release stored. */
export function warnOfReplaced(count: number): void {
  if (count > 0)
    printError(
      `gastpass: warning: ${countOf(count, 'text')} contained a NUL character, which cannot be stored; � stands in its place`,
    );
}
