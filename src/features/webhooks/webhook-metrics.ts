// The metrics of webhooks.

import type { Installation } from '../../kernel/installation.ts';
import { countsAttempts } from '../../kernel/messages/attempt-counter.ts';
import { gauge, labelled, type Metric } from '../../platform/metrics/metric.ts';

export const WEBHOOK_TRIES = countsAttempts(
  150,
  'gastpass_webhook_tries_total',
  'Attempts to deliver a notification, by outcome',
);

export function webhookMetrics({ webhooks }: Installation): Metric[] {
  return [
    WEBHOOK_TRIES,
    {
      place: 200,
      async read() {
        const all = await webhooks.list().catch(() => []);
        return gauge(
          'gastpass_webhook_failing',
          'Whether the last attempt to reach a webhook failed, or a 410 switched the webhook off',
          labelled(
            'webhook',
            all.map(({ id, active, failures, offBecause }) => [
              id,
              (active && failures > 0) || offBecause !== null ? 1 : 0,
            ]),
          ),
        );
      },
    },
  ];
}
