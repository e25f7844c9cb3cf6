// Joins names into a list in the user's language.

import type { Language } from '../domain/language.ts';
import { localeOf } from './durations.ts';

interface ListOptions {
  language: Language;
  /** Describes how many names follow. */
  rest: (count: number) => string;
  maxNamed?: number | undefined;
}

/** "A, B and C". If there are many, lists only the first ones and how many follow, at least two. */
export function listNames(names: string[], { language, rest, maxNamed = 3 }: ListOptions): string {
  const left = names.length - maxNamed;
  const named = left > 1 ? [...names.slice(0, maxNamed), rest(left)] : names;
  return new Intl.ListFormat(localeOf(language)).format(named);
}
