// The texts of guest pages and their links, in all languages.

import { guestLinkDe, guestPageDe } from './guest-page-texts-de.ts';
import { guestLinkEn, guestPageEn } from './guest-page-texts-en.ts';

export const GUEST_LINK_TEXTS = { de: guestLinkDe, en: guestLinkEn };
export const GUEST_PAGE_TEXTS = { de: guestPageDe, en: guestPageEn };
