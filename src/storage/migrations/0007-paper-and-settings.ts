// What stands on a voucher's slip, pictures, second factors, forms that were sent, and who made a voucher.

import type { EngineWords } from './migration.ts';

export function paperAndSettings({ integer, tableEnd, scratchTable }: EngineWords): string[] {
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
  ];
}
