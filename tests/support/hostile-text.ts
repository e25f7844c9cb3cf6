// A text that forges a line, colours and clears a terminal, sets its title, and shows what follows in reverse order. It
// can be stored, and be the name of a file.

import assert from 'node:assert/strict';

export const FORGED_LINE = 'ok       database: forged';
export const HOSTILE = `A\n${FORGED_LINE}\r\u001b[35m\u001b]0;title\u0007\u009b2J\u0085\u007f\u2028\u2029\u202e\u2066\u2069\u200e\u061cB`;
/** How the text is shown. */
export const HARMLESS = `A ${FORGED_LINE} [35m ]0;title 2J B`;

/** The lines of an output, after a check that none of them could act on a terminal. */
export function harmlessLines(output: string): string[] {
  assert.doesNotMatch(output, /[^\P{Cc}\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
  const lines = output.replace(/\n$/, '').split('\n');
  assert.ok(!lines.some((line) => line.startsWith(FORGED_LINE)), output);
  return lines;
}
