// The rule for voucher names, the same wherever a name is entered.

import type { InputProblem } from '../problem.ts';
import { MAX_NAME_LENGTH } from './voucher-order.ts';

/**
 * Control characters, and characters that hide or reorder what a reader sees: bidirectional overrides and isolates, and
 * invisible fillers. Joiners and direction marks (U+200C to U+200F) are allowed, because scripts and emoji need them.
 */
const NOT_PLAIN = /[\p{Cc}\u202A-\u202E\u2066-\u2069\u200B\u2060\uFEFF]/u;

/** Removes white space from both ends. One regular expression for this would take quadratic time for long runs. */
export function trimName(text: string): string {
  const isBlank = (index: number) => /[\p{White_Space}\uFEFF]/u.test(text.charAt(index));
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end);
}

/** Whether a reader sees the text as it is stored. Notes and references follow the same rule. */
export function isPlainText(text: string): boolean {
  // Half of a surrogate pair cannot be stored.
  return !NOT_PLAIN.test(text) && text.isWellFormed();
}

/** The first problem of a trimmed name. */
export function findNameProblem(name: string): InputProblem | undefined {
  if (name === '') return { kind: 'name-missing' };
  if (!isPlainText(name)) return { kind: 'name-not-plain' };
  if (name.length > MAX_NAME_LENGTH && [...name].length > MAX_NAME_LENGTH)
    return { kind: 'name-too-long', maxCharacters: MAX_NAME_LENGTH };
  return undefined;
}
