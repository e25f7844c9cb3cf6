// What webhooks bring to the web interface.

import type { FeaturePages } from '../../kernel/pages/feature-pages.ts';
import type { DeliveryStore } from './delivery.ts';
import type { AddWebhook, ChangeWebhook, RotateSecret } from './manage-webhooks.ts';
import { deliveryRoutes } from './pages/deliveries.ts';
import { webhookRoutes } from './pages/webhooks.ts';
import type { TestWebhook } from './test-webhook.ts';
import { toShownUrl, type WebhookStore } from './webhook.ts';
import { WEBHOOK_TEXTS } from './webhook-texts.ts';

declare module '../../kernel/pages/app.ts' {
  interface App {
    webhooks: WebhookStore;
    addWebhook: AddWebhook;
    changeWebhook: ChangeWebhook;
    rotateSecret: RotateSecret;
    testWebhook: TestWebhook;
    deliveries: DeliveryStore;
  }
}

export const webhookPages: FeaturePages = {
  routes: [...webhookRoutes, ...deliveryRoutes],
  auditedThings: async ({ app }) =>
    (await app.webhooks.list()).map(({ id, url }) => {
      return { noun: 'webhook', id: String(id), name: toShownUrl(url), href: `/webhooks/${id}` };
    }),
  menu: [
    {
      for: 'admins',
      before: '/audit',
      item: ({ language }) => ({ href: '/webhooks', label: WEBHOOK_TEXTS[language].title, shape: 'bell' }),
    },
  ],
};
