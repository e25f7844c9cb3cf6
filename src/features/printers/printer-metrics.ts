// The metrics of printers.

import type { Installation } from '../../kernel/installation.ts';
import { countsAttempts } from '../../kernel/messages/attempt-counter.ts';
import { gauge, labelled, type Metric } from '../../platform/metrics/metric.ts';

export const PRINT_TRIES = countsAttempts(
  170,
  'gastpass_print_tries_total',
  'Attempts to print a slip, by outcome',
);

export function printerMetrics({ printers }: Installation): Metric[] {
  return [
    PRINT_TRIES,
    {
      place: 180,
      async read() {
        const all = await printers.list().catch(() => []);
        return gauge(
          'gastpass_printer_failing',
          'Whether a printer was not ready when it last reported or was last called',
          labelled(
            'printer',
            all.map(({ id, status }) => [id, status && status.state !== 'ready' ? 1 : 0]),
          ),
        );
      },
    },
  ];
}
