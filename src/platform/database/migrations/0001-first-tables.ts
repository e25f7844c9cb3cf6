// The tables of the first release: sites, API keys, users, vouchers, the audit log, and the tables that make voucher
// creation safe (intents, idempotent responses, outbox).

import type { SqlDialect } from './migration.ts';

export function firstTables({ rowId, integer, tableEnd }: SqlDialect): string[] {
  const order = `
      name text not null,
      max_uses ${integer} not null,
      expire_minutes ${integer} not null,
      down_kbps ${integer} not null,
      up_kbps ${integer} not null,
      quota_mb ${integer} not null`;

  return [
    `create table settings (
      name text primary key,
      value text not null
    ) ${tableEnd}`,

    `create table sites (
      id ${rowId},
      name text not null,
      active ${integer} not null,
      controller_kind text not null,
      controller_site text not null,
      list_version ${integer} not null default 0,
      created_at_ms ${integer} not null
    ) ${tableEnd}`,

    `create table api_keys (
      id text primary key,
      name text not null,
      scope text not null check (scope in ('read', 'write')),
      rate_limit ${integer} not null default 0 check (rate_limit between 0 and 1000000),
      key_hash text not null,
      created_at_ms ${integer} not null,
      last_used_at_ms ${integer},
      revoked_at_ms ${integer}
    ) ${tableEnd}`,

    `create table users (
      id ${rowId},
      email text not null unique,
      name text not null,
      role text not null check (role in ('admin', 'operator')),
      password_hash text not null,
      created_at_ms ${integer} not null
    ) ${tableEnd}`,

    `create table vouchers (
      id ${rowId},
      site_id ${integer} not null references sites (id),
      code text not null,${order},
      controller_voucher_id text,
      owner_user_id ${integer} references users (id),
      used_count ${integer} not null,
      created_at_s ${integer} not null,
      first_used_at_s ${integer},
      ended_at_s ${integer}
    ) ${tableEnd}`,
    'create index vouchers_newest on vouchers (site_id, created_at_s desc, id desc)',
    'create unique index vouchers_claimed on vouchers (site_id, controller_voucher_id)',
    // For a controller without voucher ids, the code must not be recorded twice.
    'create unique index vouchers_claimed_by_code on vouchers (site_id, code) where controller_voucher_id is null',

    `create table intents (
      id ${rowId},
      site_id ${integer} not null references sites (id),${order},
      source text not null,
      created_at_ms ${integer} not null
    ) ${tableEnd}`,

    `create table idempotent_answers (
      api_key_id text not null references api_keys (id),
      idempotency_key text not null,
      body_hash text not null,
      intent_id ${integer},
      answer text,
      created_at_ms ${integer} not null,
      primary key (api_key_id, idempotency_key)
    ) ${tableEnd}`,
    'create index idempotent_answers_intent on idempotent_answers (intent_id)',
    'create index idempotent_answers_age on idempotent_answers (created_at_ms)',

    `create table outbox (
      id ${rowId},
      event_id text not null unique,
      voucher_count ${integer} not null,
      site_name text not null,
      source text not null,
      created_at_ms ${integer} not null
    ) ${tableEnd}`,

    `create table audit (
      id ${rowId},
      at_ms ${integer} not null,
      actor text not null,
      action text not null,
      subject text not null
    ) ${tableEnd}`,
  ];
}
