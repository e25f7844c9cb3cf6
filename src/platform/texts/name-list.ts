// Joins names into a list in the user's language.

import type { Language } from '../text/language.ts';
import { localeOf } from './durations.ts';

interface ListOptions {
  language: Language;
  /** Returns the words for the names that are not listed, such as "5 more". */
  rest: (count: number) => string;
  maxNamed?: number | undefined;
}

/** Returns "A, B and C". If two or more names exceed `maxNamed`, the words of `rest` replace these last names. */
export function listNames(names: string[], { language, rest, maxNamed = 3 }: ListOptions): string {
  const left = names.length - maxNamed;
  const named = left > 1 ? [...names.slice(0, maxNamed), rest(left)] : names;
  return new Intl.ListFormat(localeOf(language)).format(named);
}
