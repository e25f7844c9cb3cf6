// Chooses the language of a request: the user's choice, otherwise the language in the settings, otherwise the first
// supported language of the browser, otherwise German.

import type { IncomingHttpHeaders } from 'node:http';
import { readCookie } from '../http/cookies.ts';
import { de, type Messages } from './de.ts';
import { en } from './en.ts';

export const LANGUAGES = { de, en } satisfies Record<string, Messages>;
export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_COOKIE = 'language';

export function isLanguage(text: string | null | undefined): text is Language {
  return text === 'de' || text === 'en';
}

export function languageOf(headers: IncomingHttpHeaders, fromSettings: Language | null): Language {
  const chosen = readCookie(headers, LANGUAGE_COOKIE);
  if (isLanguage(chosen)) return chosen;
  if (fromSettings) return fromSettings;
  const accepted = (headers['accept-language'] ?? '')
    .split(',')
    .map((range) => {
      const [name = '', ...parameters] = range.trim().toLowerCase().split(';');
      const quality = parameters.find((parameter) => parameter.trim().startsWith('q='));
      return { name: name.split('-')[0] ?? '', quality: quality ? Number(quality.trim().slice(2)) || 0 : 1 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  return accepted.map(({ name }) => name).find(isLanguage) ?? 'de';
}
