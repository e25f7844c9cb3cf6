// The texts of screens, in all languages: for their devices and for administrators.

import { screenDe } from './kiosk-texts-de.ts';
import { screenEn } from './kiosk-texts-en.ts';
import { pairingDe } from './pairing-texts-de.ts';
import { pairingEn } from './pairing-texts-en.ts';
import { screensDe } from './screen-texts-de.ts';
import { screensEn } from './screen-texts-en.ts';

export const KIOSK_TEXTS = { de: screenDe, en: screenEn };
export const PAIRING_TEXTS = { de: pairingDe, en: pairingEn };
export const SCREEN_TEXTS = { de: screensDe, en: screensEn };
