// The language in which a guest is addressed. Somebody may ask for one by a language tag of BCP 47, such as `de-AT`.

import { FIRST_LANGUAGE, isLanguage, type Language } from '../platform/text/language.ts';

const MAX_TAG_LENGTH = 100;

const LANGUAGE = '(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})';
const SCRIPT = '(?:-[a-z]{4})?';
const REGION = '(?:-(?:[a-z]{2}|[0-9]{3}))?';
const VARIANTS = '(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*';
const EXTENSIONS = '(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*';
const PRIVATE = 'x(?:-[a-z0-9]{1,8})+';
const TAG = new RegExp(
  `^(?:${LANGUAGE}${SCRIPT}${REGION}${VARIANTS}${EXTENSIONS}(?:-${PRIVATE})?|${PRIVATE})$`,
  'i',
);

/** Whether the text is a well-formed language tag, of any language. */
export function isLanguageTag(text: string): boolean {
  return text.length <= MAX_TAG_LENGTH && TAG.test(text);
}

/** `de-AT` → `de`. Undefined for a language that we do not have. */
export function languageOfTag(tag: string): Language | undefined {
  const [language] = tag.toLowerCase().split('-');
  return isLanguage(language) ? language : undefined;
}

/** The languages of a site's slips, otherwise the language of the installation. The user's language is not used. */
export function guestLanguagesOf(
  slipLanguages: readonly Language[] | undefined,
  settingsLanguage: Language | null,
): [Language, ...Language[]] {
  const [first, ...others] = slipLanguages ?? [];
  return first ? [first, ...others] : [settingsLanguage ?? FIRST_LANGUAGE];
}

/** The language that was asked for if we have it, otherwise the first language of the site. */
export function chooseGuestLanguage(
  asked: string | undefined,
  slipLanguages: readonly Language[] | undefined,
  settingsLanguage: Language | null,
): Language {
  return languageOfTag(asked ?? '') ?? guestLanguagesOf(slipLanguages, settingsLanguage)[0];
}
