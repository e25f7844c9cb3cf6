// The stock: vouchers made ahead, for the time when the controller is away.

import type { Feature } from '../../kernel/feature.ts';

export const reserve: Feature = {
  tables: () => import('./reserve-tables.ts'),
  pages: async () => (await import('./reserve-pages.ts')).reservePages,
};
