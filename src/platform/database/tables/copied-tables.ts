// The tables that are copied to another database, with the columns that identify a row. Each table comes after the
// tables it references. A new table that is missing here does not compile.

import type { Tables } from '../schema.ts';

/** Instances are not copied, because an instance belongs to the database in which it registered. */
export const NOT_COPIED = ['instances'] as const;

export type CopiedTable = Exclude<keyof Tables, (typeof NOT_COPIED)[number]>;

export const copiedTables: Record<CopiedTable, readonly string[]> = {
  settings: ['name'],
  users: ['id'],
  sites: ['id'],
  list_changes: ['id'],
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
  guest_links: ['voucher_id'],
  bulk_revocations: ['id'],
  bulk_revocation_vouchers: ['revocation_id', 'voucher_id'],
  voucher_parts: ['part', 'block'],
  intents: ['id'],
  idempotent_answers: ['api_key_id', 'idempotency_key'],
  outbox: ['id'],
  webhooks: ['id'],
  messages: ['id'],
  message_attempts: ['id'],
  message_recipients: ['channel', 'recipient_id'],
  audit: ['id'],
  site_slips: ['site_id'],
  mail_server: ['id'],
  mail_texts: ['site_id', 'language'],
  mail_slots: ['id'],
  printers: ['id'],
  terms: ['id'],
  screens: ['id'],
  screen_results: ['token_hash'],
  stock: ['id'],
  shown_codes: ['voucher_id'],
  site_reserves: ['site_id'],
  request_pages: ['site_id'],
  guest_requests: ['id'],
  images: ['name'],
  second_factors: ['user_id'],
  recovery_codes: ['user_id', 'code_hash'],
  half_sign_ins: ['token_hash'],
  sent_forms: ['id'],
  invitations: ['user_id'],
  reset_links: ['token_hash'],
  single_sign_on: ['id'],
  identities: ['id'],
  external_sessions: ['token_hash'],
  user_grants: ['user_id'],
  leases: ['name'],
};
