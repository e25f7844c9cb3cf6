// Sends a test message to a webhook at once, regardless of waiting deliveries, and records it in the delivery log.

import { randomUUID } from 'node:crypto';
import type { JudgeAttempt } from '../../kernel/messages/judge-attempt.ts';
import type { Attempt } from '../../kernel/messages/message.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { DeliveryStore, SendNotification } from './delivery.ts';
import type { Notification } from './notification.ts';
import type { KnownWebhook } from './webhook.ts';

export type TestWebhook = (webhook: KnownWebhook) => Promise<Attempt & { ok: boolean }>;

interface Deps {
  deliveries: Pick<DeliveryStore, 'noteTest'>;
  sendNotification: SendNotification;
  judgeAttempt: JudgeAttempt;
  clock: Clock;
}

export function makeTestWebhook({ deliveries, sendNotification, judgeAttempt, clock }: Deps): TestWebhook {
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
      verdict: judgeAttempt({ failures: webhook.failures, attempts: 0 }, made),
    });
    return { ...made, ok: made.result === 'done' };
  };
}
