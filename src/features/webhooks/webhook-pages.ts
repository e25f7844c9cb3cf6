// What webhooks bring to the web interface.

import type { FeaturePages } from '../../kernel/pages/feature-pages.ts';
import type { DeliveryStore } from './delivery.ts';
import type { AddWebhook, ChangeWebhook, RotateSecret } from './manage-webhooks.ts';
import { deliveryRoutes } from './pages/deliveries.ts';
import { webhookRoutes } from './pages/webhooks.ts';
import type { TestWebhook } from './test-webhook.ts';
import type { WebhookStore } from './webhook.ts';

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
  menu: [
    {
      for: 'admins',
      before: '/audit',
      item: ({ messages }) => ({ href: '/webhooks', label: messages.admin.nav.webhooks, shape: 'bell' }),
    },
  ],
};
