// Prints the output of commands: aligned columns to read, or JSON for programs.

import { NOT_KNOWN_HERE, UNKNOWN } from '../domain/unknown-value.ts';

export function printTable(rows: Record<string, unknown>[], whenEmpty: string): void {
  const [first] = rows;
  if (!first) {
    console.log(whenEmpty);
    return;
  }
  const names = Object.keys(first);
  const cells = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => show(row[name]))),
  ];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of cells)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

export function printJson(value: unknown): void {
  // JSON.stringify does not escape DEL and the C1 control characters, which a terminal may interpret.
  const text = JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
  console.log(text);
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
  return String(value);
}

/** After a copy of data that an earlier release stored. */
export function warnOfReplaced(count: number): void {
  if (count > 0)
    console.error(
      `gastpass: warning: ${countOf(count, 'text')} contained a NUL character, which cannot be stored; � stands in its place`,
    );
}
