// Screens: devices that are paired with a site, such as kiosks, and rolling codes.

import type { Feature } from '../../kernel/feature.ts';
import type { InstallationParts } from '../../kernel/installation.ts';

async function open({ database, seal }: InstallationParts) {
  const { makeRollingStore } = await import('./rolling-store.ts');
  const { makeScreenStore } = await import('./screen-store.ts');
  const { makeShownCodeStore } = await import('./shown-code-store.ts');
  return {
    rolling: makeRollingStore(database),
    screens: makeScreenStore(database, seal),
    shownCodes: makeShownCodeStore(database),
  };
}

declare module '../../kernel/installation.ts' {
  interface Installation extends Awaited<ReturnType<typeof open>> {}
}

export const screens = {
  open,
  tables: () => import('./screen-tables.ts'),
  pages: async () => (await import('./screen-pages.ts')).screenPages,
  commands: [
    {
      word: 'screens',
      before: 'requests',
      load: async () => [
        ...(await import('./screen-commands.ts')).screenCommands,
        ...(await import('./screen-detail-commands.ts')).screenDetailCommands,
      ],
    },
  ],
  health: () => import('./screen-health.ts'),
  metrics: async (installation) => (await import('./screen-metrics.ts')).screenMetrics(installation),
  cleanUp: ({ screens }) => screens.forgetOldResults(),
} satisfies Feature;
