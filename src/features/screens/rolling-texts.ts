// The texts of screens with rolling codes, in all languages.

import { rollingDe } from './rolling-texts-de.ts';
import { rollingEn } from './rolling-texts-en.ts';

export const ROLLING_TEXTS = { de: rollingDe, en: rollingEn };
