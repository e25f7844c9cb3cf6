// Guest pages: a link that opens the page of one voucher on the device of the guest.

import type { Feature } from '../../kernel/feature.ts';

export const guestPages: Feature = {
  tables: () => import('./guest-link-tables.ts'),
  pages: async () => (await import('./guest-page-pages.ts')).guestPages,
};
