// Requests: guests ask staff for a voucher, at a kiosk or on the public page of a site.

import type { Feature } from '../../kernel/feature.ts';

export const requests: Feature = {
  tables: () => import('./request-tables.ts'),
  pages: async () => (await import('./request-pages.ts')).requestPages,
};
