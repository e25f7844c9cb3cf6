// The web interface: sessions, failed logins, the sites of each user, batches and profiles.

import type { SqlDialect } from './migration.ts';

export function webInterface({ rowId, integer, tableEnd, scratchTable }: SqlDialect): string[] {
  return [
    `alter table users add column active ${integer} not null default 1`,

    `create table user_sites (
      user_id ${integer} not null references users (id),
      site_id ${integer} not null references sites (id),
      primary key (user_id, site_id)
    ) ${tableEnd}`,

    `create table web_sessions (
      token_hash text primary key,
      user_id ${integer} not null references users (id),
      created_at_ms ${integer} not null,
      seen_at_ms ${integer} not null,
      address text not null,
      agent text not null
    ) ${tableEnd}`,
    'create index web_sessions_of_user on web_sessions (user_id)',

    // The rows are needed for an hour at most, so they need not survive a database crash.
    `${scratchTable} sign_in_failures (
      subject text primary key,
      count ${integer} not null,
      last_at_ms ${integer} not null
    ) ${tableEnd}`,

    `create table batches (
      id text primary key,
      user_id ${integer} not null references users (id),
      site_id ${integer} not null references sites (id),
      name text not null,
      max_uses ${integer} not null,
      expire_minutes ${integer} not null,
      down_kbps ${integer} not null,
      up_kbps ${integer} not null,
      quota_mb ${integer} not null,
      wanted ${integer} not null,
      ended_at_ms ${integer},
      problem text,
      created_at_ms ${integer} not null
    ) ${tableEnd}`,
    'create index batches_under_way on batches (created_at_ms) where ended_at_ms is null',

    `create table profiles (
      id ${rowId},
      name text not null,
      max_uses ${integer} not null,
      expire_minutes ${integer} not null,
      down_kbps ${integer} not null,
      up_kbps ${integer} not null,
      quota_mb ${integer} not null
    ) ${tableEnd}`,
    `create table profile_sites (
      profile_id ${integer} not null references profiles (id) on delete cascade,
      site_id ${integer} not null references sites (id),
      primary key (profile_id, site_id)
    ) ${tableEnd}`,

    `alter table intents add column owner_user_id ${integer}`,
    'alter table intents add column batch_id text',
    'alter table vouchers add column batch_id text',
    `alter table vouchers add column revoked_at_s ${integer}`,
    'create index vouchers_of_batch on vouchers (batch_id) where batch_id is not null',
    'create index vouchers_by_code on vouchers (code)',
    'create index vouchers_latest on vouchers (created_at_s desc, id desc)',
  ];
}
