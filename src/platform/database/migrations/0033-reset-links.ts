// Links that users ask for on the login page, beside the one that an administrator makes.

import type { SqlDialect } from './migration.ts';

export function resetLinks({ integer, tableEnd }: SqlDialect): string[] {
  return [
    // Several per user. They are valid only while the user's password hash has this digest, as in `invitations`.
    `create table reset_links (
      token_hash text primary key,
      user_id ${integer} not null references users (id),
      password_digest text not null,
      expires_at_ms ${integer} not null
    ) ${tableEnd}`,
    'create index reset_links_of_user on reset_links (user_id)',
  ];
}
