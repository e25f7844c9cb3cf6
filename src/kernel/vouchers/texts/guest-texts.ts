// The texts about a voucher that guests read, in all languages, without those of the web interface.

import { guestDe } from './guest-texts-de.ts';
import { guestEn } from './guest-texts-en.ts';

export const GUEST_TEXTS = { de: guestDe, en: guestEn };
