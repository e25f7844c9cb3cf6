// The running instances with their releases, so that a newer instance does not store what an older one cannot read.

import type { SqlDialect } from './migration.ts';

export function instances({ integer, tableEnd }: SqlDialect): string[] {
  return [
    `create table instances (
      id text primary key,
      name text not null,
      release text not null,
      schema_version ${integer} not null,
      started_at_ms ${integer} not null,
      seen_at_ms ${integer} not null
    ) ${tableEnd}`,
  ];
}
