// English texts about the health of webhooks and their deliveries.

import { type SaidOf, titled } from '../../kernel/health/health-said.ts';
import type { WebhookHealthFacts } from './judge-webhooks.ts';

export const saidOfWebhooksEn = {
  ...titled(({ webhook }) => `Webhook ${webhook}`, {
    'webhook-ok': () => ({ text: 'No failures' }),
    'webhook-inactive': () => ({ text: 'Switched off' }),
    'webhook-not-known': () => ({
      text: 'Not known to this release: this instance sends nothing to it.',
      todo: 'Upgrade this instance.',
    }),
    'webhook-off': () => ({
      text: 'Was switched off because its receiver no longer exists.',
      todo: 'Bring the receiver back and switch the webhook on, or remove the webhook.',
    }),
    'webhook-failing': ({ failures, detail }) => ({
      text: `${failures === 1 ? 'The last attempt' : `The last ${failures} attempts`} failed.`,
      todo: 'Repair the receiver; the notifications are then delivered.',
      ...(detail && { detail }),
    }),
  }),
  'deliveries-late': ({ count, oldestMs }, { duration }) => ({
    title: 'Deliveries',
    text: `${count === 1 ? '1 notification has been waiting' : `${count} notifications are waiting, the oldest`} for ${duration(oldestMs)}.`,
    todo: 'Look at the deliveries of the webhooks: a receiver is failing or slow.',
  }),
} satisfies Pick<SaidOf, keyof WebhookHealthFacts>;
