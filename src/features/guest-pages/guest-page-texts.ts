// The texts of guest pages and their links, in all languages.

import { guestLinkDe } from './guest-link-texts-de.ts';
import { guestLinkEn } from './guest-link-texts-en.ts';
import { guestPageDe } from './guest-page-texts-de.ts';
import { guestPageEn } from './guest-page-texts-en.ts';

export const GUEST_LINK_TEXTS = { de: guestLinkDe, en: guestLinkEn };
export const GUEST_PAGE_TEXTS = { de: guestPageDe, en: guestPageEn };
