// Printers of slips: they are reached over the network, or they ask for jobs themselves.

import type { Feature } from '../../kernel/feature.ts';
import type { InstallationParts } from '../../kernel/installation.ts';

async function open({ database, seal }: InstallationParts) {
  const { makePrintJobStore } = await import('./print-job-store.ts');
  const { makePrinterStore } = await import('./printer-store.ts');
  return { printJobs: makePrintJobStore(database), printers: makePrinterStore(database, seal) };
}

declare module '../../kernel/installation.ts' {
  interface Installation extends Awaited<ReturnType<typeof open>> {}
}

export const printers = {
  open,
  tables: () => import('./printer-tables.ts'),
  pages: async () => (await import('./printer-pages.ts')).printerPages,
  commands: [
    {
      word: 'printers',
      before: 'sync',
      load: async () => (await import('./printer-commands.ts')).printerCommands,
    },
    {
      word: 'simulate-printer',
      before: 'completion',
      load: async () => [(await import('./simulate-printer-command.ts')).simulatePrinter],
    },
  ],
  health: () => import('./printer-health.ts'),
  metrics: async (installation) => (await import('./printer-metrics.ts')).printerMetrics(installation),
  channel: async () => (await import('./channel/channel.ts')).printerChannel,
} satisfies Feature;
