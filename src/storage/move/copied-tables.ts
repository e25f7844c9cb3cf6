// All tables with the columns that identify a row. Each table comes after the tables it references. A new table that
// is missing here does not compile.

import type { Tables } from '../schema.ts';

export const copiedTables: Record<keyof Tables, readonly string[]> = {
  settings: ['name'],
  users: ['id'],
  sites: ['id'],
  site_syncs: ['site_id'],
  controller_sessions: ['address'],
  api_keys: ['id'],
  rate_windows: ['api_key_id'],
  user_sites: ['user_id', 'site_id'],
  web_sessions: ['token_hash'],
  sign_in_failures: ['subject'],
  profiles: ['id'],
  profile_sites: ['profile_id', 'site_id'],
  batches: ['id'],
  vouchers: ['id'],
  intents: ['id'],
  idempotent_answers: ['api_key_id', 'idempotency_key'],
  outbox: ['id'],
  webhooks: ['id'],
  deliveries: ['id'],
  delivery_tries: ['id'],
  audit: ['id'],
  site_slips: ['site_id'],
  images: ['name'],
  second_factors: ['user_id'],
  recovery_codes: ['user_id', 'code_hash'],
  half_sign_ins: ['token_hash'],
  sent_forms: ['id'],
  invitations: ['user_id'],
  single_sign_on: ['id'],
  identities: ['id'],
  external_sessions: ['token_hash'],
  leases: ['name'],
};
