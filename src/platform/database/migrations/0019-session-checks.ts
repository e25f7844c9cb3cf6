// Refresh tokens, with which sessions are checked at the identity provider, and the roles and sites that rules have
// given to users. Sessions of earlier releases have no refresh token and are not checked.

import type { SqlDialect } from './migration.ts';

export function sessionChecks({ integer, tableEnd }: SqlDialect): string[] {
  return [
    'alter table external_sessions add column sealed_refresh_token text',
    `alter table external_sessions add column checked_at_ms ${integer}`,
    `alter table external_sessions add column next_check_at_ms ${integer}`,

    `create table user_grants (
      user_id ${integer} primary key references users (id) on delete cascade,
      rule_ids text not null,
      own_role text not null,
      own_site_ids text not null
    ) ${tableEnd}`,
  ];
}
