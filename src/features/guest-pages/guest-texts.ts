// The texts that guests read, in all languages, without those of the web interface.

import type { Language } from '../../platform/text/language.ts';
import { type GuestMessages, guestDe } from './guest-page-texts-de.ts';
import { guestEn } from './guest-page-texts-en.ts';

export type { GuestMessages };
export const GUEST_MESSAGES: Record<Language, GuestMessages> = { de: guestDe, en: guestEn };
