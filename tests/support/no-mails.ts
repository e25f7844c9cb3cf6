// For stores that report changes to users: no mail is written, as if e-mail were not set up.

import type { AccountMails } from '../../src/kernel/users/account-mail-store.ts';

export const NO_MAILS: AccountMails = { seal: async () => undefined };
