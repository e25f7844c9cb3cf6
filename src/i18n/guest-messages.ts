// The texts that guests read, in all languages, without those of the web interface.

import type { Language } from '../domain/language.ts';
import { type GuestMessages, guestDe } from './de/guest/guest.ts';
import { guestEn } from './en/guest/guest.ts';

export type { GuestMessages };
export const GUEST_MESSAGES: Record<Language, GuestMessages> = { de: guestDe, en: guestEn };
