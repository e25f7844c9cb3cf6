// Screens, the stock of vouchers that are made ahead, and requests of guests.

import type { SqlDialect } from './migration.ts';

export function screens({ rowId, integer, tableEnd }: SqlDialect): string[] {
  return [
    `create table screens (
      id ${rowId},
      site_id ${integer} not null references sites (id) on delete cascade,
      name text not null,
      kind text not null,
      offers text not null,
      profile_ids text not null,
      asks text not null,
      printer_id ${integer},
      per_minute ${integer} not null,
      per_day ${integer} not null,
      idle_minutes ${integer} not null,
      terms_id ${integer},
      created_at_ms ${integer} not null,
      pairing_hash text unique,
      pairing_until_ms ${integer},
      cookie_hash text unique,
      paired_at_ms ${integer},
      token_hash text unique,
      sealed_token text,
      seen_at_ms ${integer},
      seen_ip text,
      seen_agent text,
      looked_at_ms ${integer},
      voucher_id ${integer},
      shown_at_ms ${integer}
    ) ${tableEnd}`,
    'create index screens_of_site on screens (site_id)',

    // Kept after the screen is removed, because vouchers refer to the terms that their guests accepted.
    `create table terms (
      id ${rowId},
      screen_id ${integer} not null,
      version ${integer} not null,
      text text not null,
      hash text not null,
      created_at_ms ${integer} not null,
      unique (screen_id, version)
    ) ${tableEnd}`,

    `create table screen_results (
      token_hash text primary key,
      screen_id ${integer} not null references screens (id) on delete cascade,
      voucher_id ${integer} not null references vouchers (id) on delete cascade,
      language text not null,
      until_ms ${integer} not null
    ) ${tableEnd}`,
    'create index screen_results_of_voucher on screen_results (voucher_id)',

    // The screen may have been removed since. Its vouchers are then taken off the controller.
    `create table stock (
      id ${rowId},
      site_id ${integer} not null references sites (id),
      screen_id ${integer},
      state text not null,
      name text not null,
      max_uses ${integer} not null,
      expire_minutes ${integer} not null,
      down_kbps ${integer} not null,
      up_kbps ${integer} not null,
      quota_mb ${integer} not null,
      code text not null,
      controller_voucher_id text,
      made_at_ms ${integer} not null,
      missing_since_ms ${integer},
      unique (site_id, controller_voucher_id)
    ) ${tableEnd}`,
    'create index stock_of_site on stock (site_id, state, id)',
    // All columns that are counted together every two seconds, so that the table itself is not read.
    `create index stock_groups on stock
      (site_id, screen_id, state, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, made_at_ms, missing_since_ms)`,
    'create unique index stock_by_code on stock (site_id, code) where controller_voucher_id is null',

    `create table shown_codes (
      voucher_id ${integer} primary key references vouchers (id) on delete cascade,
      due_at_ms ${integer} not null
    ) ${tableEnd}`,

    `create table site_reserves (
      site_id ${integer} primary key references sites (id) on delete cascade,
      wanted ${integer} not null,
      profile_id ${integer}
    ) ${tableEnd}`,

    `create table request_pages (
      site_id ${integer} primary key references sites (id) on delete cascade,
      token_hash text not null unique,
      sealed_token text,
      mail_to text
    ) ${tableEnd}`,

    `create table guest_requests (
      id ${rowId},
      site_id ${integer} not null references sites (id) on delete cascade,
      screen_id ${integer},
      name text not null,
      host text not null,
      note text not null,
      language text not null,
      token_hash text not null unique,
      state text not null,
      reason text,
      voucher_id ${integer},
      decided_by text,
      terms_id ${integer},
      terms_accepted_at_s ${integer},
      network_hash text,
      created_at_ms ${integer} not null,
      expires_at_ms ${integer} not null,
      decided_at_ms ${integer}
    ) ${tableEnd}`,
    'create index guest_requests_of_site on guest_requests (site_id, state)',

    `alter table site_syncs add column began_at_ms ${integer}`,

    'alter table intents add column purpose text',
    `alter table intents add column purpose_id ${integer}`,
    `alter table intents add column terms_id ${integer}`,
    `alter table intents add column terms_accepted_at_s ${integer}`,
    `alter table vouchers add column screen_id ${integer}`,
    'alter table vouchers add column console_name text',
    `alter table vouchers add column terms_id ${integer}`,
    `alter table vouchers add column terms_accepted_at_s ${integer}`,
    'create index vouchers_of_screen on vouchers (screen_id, created_at_s) where screen_id is not null',
  ];
}
