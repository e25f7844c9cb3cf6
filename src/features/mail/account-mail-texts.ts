// The texts of the mails to users, in all languages, without those of the web interface.

import type { Language } from '../../platform/text/language.ts';
import { type AccountMailMessages, accountMailDe } from './account-mail-texts-de.ts';
import { accountMailEn } from './account-mail-texts-en.ts';

export type { AccountMailMessages };
export const ACCOUNT_MAIL_MESSAGES: Record<Language, AccountMailMessages> = {
  de: accountMailDe,
  en: accountMailEn,
};
