// Turns the notifications in the outbox into deliveries, and calls all webhooks that are due in parallel, so that a
// slow webhook does not delay the others.

import type { WebhookId } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import type { DeliverTo } from '../domain/webhooks/deliver.ts';
import type { DeliveryStore } from '../domain/webhooks/delivery.ts';
import { type Loop, startLoop } from './loop.ts';

const EVERY_MS = 500;
const PAUSE_AFTER_FAILURE_MS = 10_000;
/** Kept small: requests that write to the database wait for each of these transactions. */
const FANNED_OUT_AT_ONCE = 20;

interface Deps {
  deliveries: Pick<DeliveryStore, 'fanOut' | 'listDue'>;
  deliverTo: DeliverTo;
  log: Log;
  /** Scales all pauses; 1 is real time. */
  pace: number;
}

export function startDeliveryLoop({ deliveries, deliverTo, log, pace }: Deps): Loop {
  const running = new Map<WebhookId, Promise<void>>();
  const loop = startLoop({
    name: 'notify',
    run: turn,
    log,
    pauseAfterFailureMs: PAUSE_AFTER_FAILURE_MS * pace,
    firstPauseMs: EVERY_MS * pace,
  });
  return {
    async stop() {
      await loop.stop();
      await Promise.all(running.values());
    },
  };

  async function turn(signal: AbortSignal): Promise<number> {
    const turned = await deliveries.fanOut(FANNED_OUT_AT_ONCE);
    for (const id of await deliveries.listDue()) if (!running.has(id)) running.set(id, serve(id, signal));
    // The remaining notifications wait for the next turn, so that a steady inflow does not block deliveries.
    return turned === FANNED_OUT_AT_ONCE ? 0 : EVERY_MS * pace;
  }

  async function serve(id: WebhookId, signal: AbortSignal): Promise<void> {
    try {
      await deliverTo(id, signal);
    } catch (error) {
      log.error({ webhookId: id, err: error }, 'cannot deliver notifications, will try again');
    } finally {
      running.delete(id);
    }
  }
}
