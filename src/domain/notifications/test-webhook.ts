// Sends a test message to a webhook at once, whatever waits for it, and notes it in the log.

import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { SendNotification } from './deliver.ts';
import type { DeliveryStore, Try } from './delivery.ts';
import { isSuccess, type JudgeTry } from './judge-try.ts';
import type { Notification } from './notification.ts';
import type { Webhook } from './webhook.ts';

export type TestWebhook = (webhook: Webhook) => Promise<Try & { ok: boolean }>;

interface Needs {
  deliveries: Pick<DeliveryStore, 'noteTest'>;
  sendNotification: SendNotification;
  judgeTry: JudgeTry;
  clock: Clock;
}

export function makeTestWebhook({ deliveries, sendNotification, judgeTry, clock }: Needs): TestWebhook {
  return async function testWebhook(webhook) {
    const notification: Notification = {
      eventId: randomUUID(),
      kind: 'webhook.test',
      voucherCount: 0,
      siteName: '',
      source: '',
      occurredAtMs: clock.nowMs(),
    };
    const made = await sendNotification(webhook, notification, new AbortController().signal);
    await deliveries.noteTest(webhook, notification, {
      made,
      verdict: judgeTry({ webhook, tries: 0 }, made),
    });
    return { ...made, ok: isSuccess(made) };
  };
}
