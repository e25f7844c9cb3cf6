// Orders of users that failed: whether the user still needs to see them, and an index that finds those.

import type { SqlDialect } from './migration.ts';

export function failedOrders({ integer }: SqlDialect): string[] {
  return [
    `alter table batches add column settled_at_ms ${integer}`,
    `create index batches_failed on batches (user_id, created_at_ms)
      where problem is not null and settled_at_ms is null`,
  ];
}
