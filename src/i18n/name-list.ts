// Joins names into a list in the user's language.

import type { Language } from '../domain/language.ts';
import { REGIONS } from './durations.ts';

const MAX_NAMED = 3;

/** "A, B and C". If there are many, lists only the first ones; `rest` describes how many follow, at least two. */
export function listNames(names: string[], rest: (count: number) => string, language: Language): string {
  const left = names.length - MAX_NAMED;
  const named = left > 1 ? [...names.slice(0, MAX_NAMED), rest(left)] : names;
  return new Intl.ListFormat(REGIONS[language]).format(named);
}
