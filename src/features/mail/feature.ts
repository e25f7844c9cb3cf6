// E-mails: vouchers for guests, and messages for users about their accounts.

import type { Feature } from '../../kernel/feature.ts';

export const mail: Feature = {
  tables: () => import('./mail-tables.ts'),
  pages: async () => (await import('./mail-pages.ts')).mailPages,
};
