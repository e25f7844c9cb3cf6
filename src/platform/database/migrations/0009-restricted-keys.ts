// The sites, the expiry date and the note of an API key, and the IP address of its last use. Keys of earlier releases
// may use all sites and do not expire.

import type { SqlDialect } from './migration.ts';

export function restrictedKeys({ integer }: SqlDialect): string[] {
  return [
    "alter table api_keys add column site_ids text not null default 'all'",
    `alter table api_keys add column expires_at_ms ${integer}`,
    "alter table api_keys add column note text not null default ''",
    'alter table api_keys add column last_used_ip text',
  ];
}
