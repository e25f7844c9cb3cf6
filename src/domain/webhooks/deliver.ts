// Delivers what waits for a webhook, one after the other in the order it happened. Called by the worker for
// each webhook on its own, so that a dead one keeps no other waiting. Whatever breaks off is tried again:
// nothing is noted before it is known.

import type { WebhookId } from '../ids.ts';
import type { WithLease } from '../leases/leases.ts';
import type { Log } from '../log.ts';
import type { Attempt, DeliveryStore } from './delivery.ts';
import type { JudgeAttempt } from './judge-attempt.ts';
import type { Notification } from './notification.ts';
import type { Webhook } from './webhook.ts';

/** Never throws: that there is no answer is an answer too. */
export type SendNotification = (
  webhook: Webhook,
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
    // Told to stop, it finishes the call under way: who hangs up now would have to send it again.
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
