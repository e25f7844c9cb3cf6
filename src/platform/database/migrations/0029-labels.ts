// What callers of the API store with a voucher, and batches that an API key has ordered.

import type { SqlDialect } from './migration.ts';

export function labels({ integer, isShared }: SqlDialect): string[] {
  return [
    ...(isShared ? ['alter table batches alter column user_id drop not null'] : batchesWithoutUser),
    'alter table batches add column api_key_id text',
    ...['vouchers', 'intents', 'batches'].flatMap((table) => [
      `alter table ${table} add column reference text`,
      `alter table ${table} add column note text`,
      // A profile may be removed later, so the id refers to no row.
      `alter table ${table} add column profile_id ${integer}`,
    ]),
    'create index vouchers_of_reference on vouchers (reference, site_id) where reference is not null',
  ];
}

/** SQLite cannot remove `not null` from a column, so the table is created again. No other table refers to it. */
const batchesWithoutUser = [
  `create table new_batches (
    id text primary key,
    user_id integer references users (id),
    site_id integer not null references sites (id),
    name text not null,
    max_uses integer not null,
    expire_minutes integer not null,
    down_kbps integer not null,
    up_kbps integer not null,
    quota_mb integer not null,
    wanted integer not null,
    ended_at_ms integer,
    problem text,
    created_at_ms integer not null,
    cause text,
    replacement_id text,
    settled_at_ms integer,
    ends_at_s integer
  ) strict`,
  `insert into new_batches select id, user_id, site_id, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
    wanted, ended_at_ms, problem, created_at_ms, cause, replacement_id, settled_at_ms, ends_at_s from batches`,
  'drop table batches',
  'alter table new_batches rename to batches',
  'create index batches_under_way on batches (created_at_ms) where ended_at_ms is null',
  'create index batches_of_several on batches (created_at_ms desc, id desc, site_id) where wanted > 1',
  'create index batches_of_replacement on batches (replacement_id) where replacement_id is not null',
  `create index batches_failed on batches (user_id, created_at_ms)
    where problem is not null and settled_at_ms is null`,
];
