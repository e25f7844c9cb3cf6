// For stores that report changes to users: no mail is written, as if e-mail were not set up.

import type { AccountMails } from '../../src/storage/mail/account-mails.ts';

export const NO_MAILS: AccountMails = { seal: async () => undefined };
