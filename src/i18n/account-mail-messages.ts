// The texts of the mails to users, in all languages, without those of the web interface.

import type { Language } from '../domain/language.ts';
import { type AccountMailMessages, accountMailDe } from './de/staff/account-mail.ts';
import { accountMailEn } from './en/staff/account-mail.ts';

export type { AccountMailMessages };
export const ACCOUNT_MAIL_MESSAGES: Record<Language, AccountMailMessages> = {
  de: accountMailDe,
  en: accountMailEn,
};
