// Slips, images, second factors, pending logins, one-time forms, the source of vouchers, addresses in the audit log,
// causes of failures, the order of vouchers by name, and the index for retention.

import type { SqlDialect } from './migration.ts';

export function paperAndSettings({ integer, bytewiseText, tableEnd, scratchTable }: SqlDialect): string[] {
  return [
    `create table site_slips (
      site_id ${integer} primary key references sites (id),
      wifi_name text not null,
      wifi_security text not null check (wifi_security in ('open', 'wpa')),
      sealed_wifi_password text,
      text text not null
    ) ${tableEnd}`,

    `create table images (
      name text primary key,
      type text not null check (type in ('image/png', 'image/jpeg')),
      base64 text not null
    ) ${tableEnd}`,

    `create table second_factors (
      user_id ${integer} primary key references users (id),
      sealed_secret text not null,
      last_step ${integer} not null,
      created_at_ms ${integer} not null
    ) ${tableEnd}`,
    `create table recovery_codes (
      user_id ${integer} not null references second_factors (user_id) on delete cascade,
      code_hash text not null,
      primary key (user_id, code_hash)
    ) ${tableEnd}`,

    // Pending logins: the password was correct, but the code has not been entered yet. They are needed for minutes, and
    // are not in web_sessions, because an instance of an earlier release would accept them as sessions.
    `${scratchTable} half_sign_ins (
      token_hash text primary key,
      user_id ${integer} not null,
      created_at_ms ${integer} not null
    ) ${tableEnd}`,

    // One-time forms that were submitted in the last day. If the response to a form shows a new secret, reloading the
    // response must not create another secret.
    `${scratchTable} sent_forms (
      id text primary key,
      at_ms ${integer} not null
    ) ${tableEnd}`,

    'alter table vouchers add column source text',
    'alter table audit add column address text',

    'alter table batches add column cause text',
    'alter table site_syncs add column cause text',
    `alter table site_syncs add column failing_since_ms ${integer}`,

    // A background worker fills this column for existing vouchers (kernel/vouchers/turns/name-sort-keys.ts).
    `alter table vouchers add column name_order ${bytewiseText} not null default ''`,
    'create index vouchers_by_name on vouchers (site_id, name_order, id)',

    // When a voucher ended or will end, if that is known. Retention finds old vouchers through this index. The
    // expression must match retention-queries.ts.
    `create index vouchers_over on vouchers ((
      case when coalesce(first_used_at_s, missing_since_s) + expire_minutes * 60 < ended_at_s
      then coalesce(first_used_at_s, missing_since_s) + expire_minutes * 60
      else coalesce(ended_at_s, coalesce(first_used_at_s, missing_since_s) + expire_minutes * 60) end
    )) where ended_at_s is not null or first_used_at_s is not null or missing_since_s is not null`,
  ];
}
