// The names of languages in the user's language, such as "German" in English and "Deutsch" in German.

import type { Language } from '../text/language.ts';
import { localeOf } from './durations.ts';

export function languageName(named: Language, language: Language): string {
  return new Intl.DisplayNames(localeOf(language), { type: 'language' }).of(named) ?? named;
}
