// Delivers the waiting notifications of one webhook, one after the other in the order of their events. The worker calls
// it separately for each webhook, so that a dead webhook does not delay the others. An interrupted attempt is repeated,
// because only a known outcome is recorded.

import type { WebhookId } from '../ids.ts';
import type { WithLease } from '../leases/leases.ts';
import type { Log } from '../log.ts';
import type { Attempt, DeliveryStore } from './delivery.ts';
import type { Notification } from './notification.ts';
import type { JudgeAttempt } from './retry-schedule.ts';
import type { KnownWebhook } from './webhook.ts';

/** Never throws: a missing response is reported as a failed attempt. */
export type SendNotification = (
  webhook: KnownWebhook,
  notification: Notification,
  signal: AbortSignal,
) => Promise<Attempt>;

export type DeliverTo = (id: WebhookId, signal: AbortSignal) => Promise<void>;

interface Deps {
  deliveries: Pick<DeliveryStore, 'next' | 'noteAttempt'>;
  sendNotification: SendNotification;
  judgeAttempt: JudgeAttempt;
  withLease: WithLease;
  log: Log;
  observe: (outcome: 'delivered' | 'failed') => void;
}

export function makeDeliverTo(deps: Deps): DeliverTo {
  const { deliveries, sendNotification, judgeAttempt, withLease, log, observe } = deps;

  return async function deliverTo(id, signal) {
    // When told to stop, finish the call in progress: aborting the call now would mean sending it again.
    const untilLost = new AbortController().signal;
    await withLease(`webhook ${id}`, untilLost, async (held) => {
      while (!signal.aborted) {
        const delivery = await deliveries.next(id);
        if (!delivery) return;
        const made = await sendNotification(delivery.webhook, delivery.notification, held);
        if (held.aborted) return;

        const verdict = judgeAttempt(delivery, made);
        await deliveries.noteAttempt(delivery, made, verdict);
        observe(verdict.failed ? 'failed' : 'delivered');
        if (verdict.failed)
          log.warn(
            {
              webhookId: id,
              deliveryId: delivery.id,
              status: made.status,
              problem: made.error,
              state: verdict.state,
            },
            'a notification was not delivered',
          );
      }
    });
  };
}
