// The languages of pages, slips and messages to guests. A language is a folder in `i18n/` and an entry here.

export const LANGUAGES = ['de', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of an installation whose administrator has chosen none. */
export const FIRST_LANGUAGE: Language = 'de';

export function isLanguage(text: string | null | undefined): text is Language {
  return LANGUAGES.some((language) => language === text);
}

/** The form of a language tag (BCP 47), such as `de`, `de-AT` or `zh-Hant-TW`. */
const LANGUAGE_TAG = /^(?:[a-z]{2,8}|[ix](?=-))(?:-[a-z0-9]{1,8})*$/i;

export function isLanguageTag(text: string): boolean {
  return LANGUAGE_TAG.test(text);
}

/** The offered language that a tag stands for, such as `de` for `de-AT`; undefined if it is not offered. */
export function offeredLanguage(tag: string): Language | undefined {
  const [language = ''] = tag.toLowerCase().split('-');
  return isLanguage(language) ? language : undefined;
}
