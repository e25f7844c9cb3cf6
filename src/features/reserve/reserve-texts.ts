// The texts of the reserve, in all languages.

import { reserveDe } from './reserve-texts-de.ts';
import { reserveEn } from './reserve-texts-en.ts';

export const RESERVE_TEXTS = { de: reserveDe, en: reserveEn };
