// The messages of all languages.

import type { Language } from '../domain/language.ts';
import { de, type Messages } from './de/messages.ts';
import { en } from './en/messages.ts';

export type { Messages };
export const MESSAGES: Record<Language, Messages> = { de, en };
