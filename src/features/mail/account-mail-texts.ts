// The texts of the mails to users, in all languages, without those of the web interface.

import { accountMailDe } from './account-mail-texts-de.ts';
import { accountMailEn } from './account-mail-texts-en.ts';

export const ACCOUNT_MAIL_TEXTS = { de: accountMailDe, en: accountMailEn };
