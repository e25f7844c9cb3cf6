// Screens: devices that are paired with a site, such as kiosks, and rolling codes.

import type { Feature } from '../../kernel/feature.ts';

export const screens: Feature = {
  tables: () => import('./screen-tables.ts'),
  pages: async () => (await import('./screen-pages.ts')).screenPages,
};
