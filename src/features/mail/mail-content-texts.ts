// The texts of the mails that guests get, in all languages.

import { mailContentDe } from './mail-content-texts-de.ts';
import { mailContentEn } from './mail-content-texts-en.ts';

export const MAIL_CONTENT_TEXTS = { de: mailContentDe, en: mailContentEn };
