// The texts of the pages about mails, in all languages.

import { mailsDe } from './mail-log-texts-de.ts';
import { mailsEn } from './mail-log-texts-en.ts';
import { mailServerDe } from './mail-server-texts-de.ts';
import { mailServerEn } from './mail-server-texts-en.ts';

export const MAIL_TEXTS = { de: mailsDe, en: mailsEn };
export const MAIL_SERVER_TEXTS = { de: mailServerDe, en: mailServerEn };
