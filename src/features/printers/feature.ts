// Printers of slips: they are reached over the network, or they ask for jobs themselves.

import type { Feature } from '../../kernel/feature.ts';

export const printers: Feature = {
  tables: () => import('./printer-tables.ts'),
  pages: async () => (await import('./printer-pages.ts')).printerPages,
};
