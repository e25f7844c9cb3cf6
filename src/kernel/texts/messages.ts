// The messages of all languages.

import type { Language } from '../../platform/text/language.ts';
import { de, type Messages } from './messages-de.ts';
import { en } from './messages-en.ts';

export type { Messages };
export const MESSAGES: Record<Language, Messages> = { de, en };
