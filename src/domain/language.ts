// The languages of pages, slips and messages to guests. A language is a folder in `i18n/` and an entry here.

export const LANGUAGES = ['de', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of an installation whose administrator has chosen none. */
export const FIRST_LANGUAGE: Language = 'de';

export function isLanguage(text: string | null | undefined): text is Language {
  return LANGUAGES.some((language) => language === text);
}
