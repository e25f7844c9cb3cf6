// Names of webhooks, the events that each webhook gets, and which failures of a site were reported.

import type { SqlDialect } from './migration.ts';

export function webhookNamesEvents({ integer }: SqlDialect): string[] {
  return [
    // Empty in webhooks of earlier releases: the host is shown instead.
    `alter table webhooks add column name text not null default ''`,
    // Event kinds, separated by commas. Webhooks of earlier releases are still notified of new vouchers only.
    `alter table webhooks add column events text not null default 'voucher.created'`,

    `alter table deliveries add column details text`,
    // An instance of an earlier release would report every waiting delivery as a new voucher. So a delivery of a newer
    // event is 'given-up' in the column that the earlier release reads, and its real state is in this column.
    `alter table deliveries add column event_state text check (event_state in ('waiting', 'delivered', 'given-up'))`,
    `create index deliveries_queue on deliveries (webhook_id, id) where coalesce(event_state, state) = 'waiting'`,

    // The start of the site's outage, once the outage was reported.
    `alter table site_syncs add column outage_since_ms ${integer}`,
    `alter table site_syncs add column certificate_reported ${integer} not null default 0`,
  ];
}
