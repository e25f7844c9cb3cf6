// Webhooks: notifications to other programs about vouchers and failures.

import type { Feature } from '../../kernel/feature.ts';

export const webhooks: Feature = {
  tables: () => import('./webhook-tables.ts'),
  pages: async () => (await import('./webhook-pages.ts')).webhookPages,
};
