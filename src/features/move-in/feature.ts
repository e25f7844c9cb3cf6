// Moving in: takes over the data of another tool.

import type { Feature } from '../../kernel/feature.ts';

export const moveIn = {
  pages: async () => ({ routes: (await import('./moved-in-site-page.ts')).movedInRoutes }),
  commands: [
    { word: 'move-in', before: 'rekey', load: async () => [(await import('./move-in-command.ts')).moveIn] },
  ],
} satisfies Feature;
