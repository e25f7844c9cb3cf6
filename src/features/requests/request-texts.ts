// The texts about the requests of guests, in all languages: those that guests read, and those for staff.

import { requestDe } from './guest-request-texts-de.ts';
import { requestEn } from './guest-request-texts-en.ts';
import { requestsDe } from './request-texts-de.ts';
import { requestsEn } from './request-texts-en.ts';

export const GUEST_REQUEST_TEXTS = { de: requestDe, en: requestEn };
export const REQUEST_TEXTS = { de: requestsDe, en: requestsEn };
