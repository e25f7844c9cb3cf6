// Webhooks: notifications to other programs about vouchers and failures.

import type { Feature } from '../../kernel/feature.ts';
import type { InstallationParts } from '../../kernel/installation.ts';

async function open({ database, seal }: InstallationParts) {
  const { makeDeliveryStore, makeWebhookStore } = await import('./webhook-store.ts');
  return { deliveries: makeDeliveryStore(database, seal), webhooks: makeWebhookStore(database, seal) };
}

declare module '../../kernel/installation.ts' {
  interface Installation extends Awaited<ReturnType<typeof open>> {}
}

export const webhooks = {
  open,
  tables: () => import('./webhook-tables.ts'),
  pages: async () => (await import('./webhook-pages.ts')).webhookPages,
  commands: [
    {
      word: 'webhooks',
      before: 'vouchers',
      load: async () => [
        ...(await import('./webhook-commands.ts')).webhookCommands,
        ...(await import('./delivery-commands.ts')).deliveryCommands,
      ],
    },
  ],
  health: () => import('./webhook-health.ts'),
  metrics: async (installation) => (await import('./webhook-metrics.ts')).webhookMetrics(installation),
  channel: async () => (await import('./channel/channel.ts')).webhookChannel,
} satisfies Feature;
