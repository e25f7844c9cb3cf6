// What stands on a voucher's slip, pictures, second factors, forms that were sent, who made a voucher, from
// where something was done, since when and why a sync fails, and the order of vouchers by name.

import type { EngineWords } from './migration.ts';

export function paperAndSettings({ integer, bytewiseText, tableEnd, scratchTable }: EngineWords): string[] {
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

    // Worth minutes: somebody whose password was right and whose code is yet to come. No session, so that an
    // instance of an earlier release does not take it for one.
    `${scratchTable} half_sign_ins (
      token_hash text primary key,
      user_id ${integer} not null,
      created_at_ms ${integer} not null
    ) ${tableEnd}`,

    // Worth a day: a form that shows a secret once must not make another one when its answer is loaded again.
    `${scratchTable} sent_forms (
      id text primary key,
      at_ms ${integer} not null
    ) ${tableEnd}`,

    'alter table vouchers add column source text',
    'alter table audit add column address text',

    'alter table batches add column cause text',
    'alter table site_syncs add column cause text',
    `alter table site_syncs add column failing_since_ms ${integer}`,

    // Filled by the service beside its other work (workers/name-order.ts).
    `alter table vouchers add column name_order ${bytewiseText} not null default ''`,
    'create index vouchers_by_name on vouchers (site_id, name_order, id)',

    // When a voucher ended or will end, for those of which that is known: how retention finds the old ones.
    // The same words as in retention-queries.ts.
    `create index vouchers_over on vouchers ((
      case when coalesce(first_used_at_s, missing_since_s) + expire_minutes * 60 < ended_at_s
      then coalesce(first_used_at_s, missing_since_s) + expire_minutes * 60
      else coalesce(ended_at_s, coalesce(first_used_at_s, missing_since_s) + expire_minutes * 60) end
    )) where ended_at_s is not null or first_used_at_s is not null or missing_since_s is not null`,
  ];
}
