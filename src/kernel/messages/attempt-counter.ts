// Counts the attempts of a channel, for the metrics.

import type { Counter } from '../../platform/metrics/metric.ts';

export type AttemptCounter = Counter<{ outcome: 'delivered' | 'failed' }>;

export const countsAttempts = (place: number, name: string, help: string): AttemptCounter => ({
  ...{ place, name, help },
  startsWith: [{ outcome: 'delivered' }, { outcome: 'failed' }],
});
