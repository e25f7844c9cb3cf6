// The metrics of the stock.

import type { SiteId } from '../../kernel/ids.ts';
import type { Installation } from '../../kernel/installation.ts';
import { type Counter, gauge, joinLabels, type Metric } from '../../platform/metrics/metric.ts';

export const STOCK_FAILURES: Counter<{ site: SiteId; reason: string }> = {
  place: 140,
  name: 'gastpass_stock_failures_total',
  help: 'Failed attempts to make vouchers ahead or to delete them, by site and reason',
  startsWith: [],
};

export function stockMetrics({ stock }: Installation): Metric[] {
  return [
    STOCK_FAILURES,
    {
      place: 130,
      async read() {
        const counts = await stock.countReady().catch(() => []);
        return gauge(
          'gastpass_stock',
          'Vouchers that are made ahead and ready, by site and purpose',
          Object.fromEntries(
            counts.map(({ siteId: site, purpose, ready }) => [joinLabels({ site, purpose }), ready]),
          ),
        );
      },
    },
  ];
}
