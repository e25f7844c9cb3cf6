// Prints the output of commands: lines and aligned columns to read, or JSON for programs. Control characters are
// removed or escaped, so that names and error texts cannot begin a new line or control the terminal. All commands print
// through this file.

import { escapeControls, withoutControls } from '../text/control-characters.ts';
import { NOT_KNOWN_HERE, UNKNOWN } from '../values/unknown-value.ts';

/** Each text becomes one line, whatever it contains. */
export function print(...lines: string[]): void {
  console.log(lines.map(withoutControls).join('\n'));
}

/** Like `print`, but to stderr, for errors and warnings. */
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

/** Prints one value per line, for a single thing with many values. */
export function printFacts(facts: Record<string, unknown>): void {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  print(...Object.entries(facts).map(([name, value]) => `${name.padEnd(width)}  ${show(value) || '-'}`));
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

/** Writes the time without milliseconds, as the API does. */
export function secondsToTime(seconds: number | null): string | null {
  return toTime(seconds === null ? null : seconds * 1000)?.replace('.000', '') ?? null;
}

/** Returns the value, or an explanation if only a newer release knows the value. */
export function sayKnown(value: string): string {
  return value === UNKNOWN ? NOT_KNOWN_HERE : value;
}

function show(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  // Control characters are removed before the width of the column is measured.
  return withoutControls(String(value));
}

/** Called after data was copied. Data of an earlier release may contain NUL characters, which are replaced. */
export function warnOfReplaced(count: number): void {
  if (count > 0)
    printError(
      `gastpass: warning: ${countOf(count, 'text')} contained a NUL character, which cannot be stored; � stands in its place`,
    );
}
