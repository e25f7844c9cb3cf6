// Printers of slips: they are reached over the network, or they ask for jobs themselves.

import type { Feature } from '../../kernel/feature.ts';

export const printers: Feature = {
  pages: async () => (await import('./printer-pages.ts')).printerPages,
};
