// Single sign-on: the provider with its rules, the identities of users at the provider, and the sessions of users whom
// the provider or a proxy has authenticated.

import type { SqlDialect } from './migration.ts';

export function singleSignOn({ rowId, integer, tableEnd }: SqlDialect): string[] {
  return [
    `create table single_sign_on (
      id ${integer} primary key check (id = 1),
      issuer text,
      client_id text,
      sealed_client_secret text,
      scopes text,
      label text not null default '',
      rules text not null default '[]',
      hides_password_form ${integer} not null default 0,
      trusts_email ${integer} not null default 0
    ) ${tableEnd}`,

    // An identity without a user waits for an administrator.
    `create table identities (
      id ${rowId},
      issuer text not null,
      subject text not null,
      user_id ${integer} references users (id) on delete cascade,
      email text not null,
      name text not null,
      seen_at_ms ${integer} not null,
      unique (issuer, subject)
    ) ${tableEnd}`,
    'create index identities_of_user on identities (user_id)',

    `create table external_sessions (
      token_hash text primary key references web_sessions (token_hash) on delete cascade,
      sealed_id_token text
    ) ${tableEnd}`,
  ];
}
