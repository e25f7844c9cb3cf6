// Moving in: takes over the data of another tool.

import type { Feature } from '../../kernel/feature.ts';

export const moveIn: Feature = {
  pages: async () => ({ routes: (await import('./moved-in-site-page.ts')).movedInRoutes }),
};
