// Sites on real controllers: access to the controller, and its login session.

import type { SqlDialect } from './migration.ts';

export function realControllers({ tableEnd }: SqlDialect): string[] {
  return [
    'alter table sites add column controller_url text',
    'alter table sites add column sealed_credentials text',
    "alter table sites add column tls_trust text not null default 'ca'",

    `create table controller_sessions (
      address text primary key,
      sealed_session text not null
    ) ${tableEnd}`,
  ];
}
