// Chooses the language of a request: the user's choice, otherwise the language in the settings, otherwise the first
// supported language of the browser, otherwise `FIRST_LANGUAGE`.

import { FIRST_LANGUAGE, isLanguage, type Language } from '../text/language.ts';

interface LanguageHints {
  /** The language that the user has chosen, as stored in a cookie. */
  chosen: string | undefined;
  fromSettings: Language | null;
  /** The `Accept-Language` header of the browser. */
  accepted: string | undefined;
  /** Used if none of the hints names a language that we have. */
  otherwise?: Language;
}

export function languageOf({
  chosen,
  fromSettings,
  accepted = '',
  otherwise = FIRST_LANGUAGE,
}: LanguageHints): Language {
  if (isLanguage(chosen)) return chosen;
  if (fromSettings) return fromSettings;
  const ranges = accepted
    .split(',')
    .map((range) => {
      const [name = '', ...parameters] = range.trim().toLowerCase().split(';');
      const quality = parameters.find((parameter) => parameter.trim().startsWith('q='));
      return { name: name.split('-')[0] ?? '', quality: quality ? Number(quality.trim().slice(2)) || 0 : 1 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  return ranges.map(({ name }) => name).find(isLanguage) ?? otherwise;
}
