// Links with which users set their password, and two facts about sessions: when the password was last entered, and
// whether the session stays after the browser is closed.

import type { SqlDialect } from './migration.ts';

export function invitations({ integer, tableEnd }: SqlDialect): string[] {
  return [
    // One link per user. The link is valid only while the user's password hash has this digest. So it also ends when an
    // instance of an earlier release, which does not know this table, changes the password.
    `create table invitations (
      user_id ${integer} primary key references users (id),
      token_hash text not null unique,
      password_digest text not null,
      is_first ${integer} not null,
      expires_at_ms ${integer} not null
    ) ${tableEnd}`,

    // 0 in sessions of earlier releases: the password counts as entered long ago.
    `alter table web_sessions add column authenticated_at_ms ${integer} not null default 0`,
    `alter table web_sessions add column stays ${integer} not null default 0`,
  ];
}
