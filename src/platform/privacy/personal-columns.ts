// Which text columns of the tables may contain personal data. A new text column that is missing here does not compile.

import type { Selectable } from 'kysely';
import type { Tables } from '../database/schema.ts';
import type { CopiedTable } from '../database/tables/copied-tables.ts';

/**
 * `erased`: the text is searched and replaced. `kept`: the text is searched but not replaced. `sealed`: the sealed text is
 * opened and searched, and deleted as a whole. `other`: the text is not searched, because it has only ids, codes,
 * secrets, images, derived values or words of this program.
 */
type Kind = 'erased' | 'kept' | 'sealed' | 'other';

/** The table of instances is not searched. It contains names of machines, and its rows are deleted soon. */
type SearchedTable = CopiedTable;

type TextColumns<Table, Row = Selectable<Table>> = {
  [Column in keyof Row]: NonNullable<Row[Column]> extends string ? Column : never;
}[keyof Row];

const COLUMNS: { [Table in SearchedTable]: Record<TextColumns<Tables[Table]>, Kind> } = {
  vouchers: {
    name: 'erased',
    reference: 'erased',
    note: 'erased',
    source: 'erased',
    revoked_by: 'erased',
    code: 'other',
    controller_voucher_id: 'other',
    batch_id: 'other',
    actor_id: 'other',
    name_order: 'other',
    console_name: 'kept',
    replaced_by: 'other',
  },
  batches: {
    name: 'erased',
    reference: 'erased',
    note: 'erased',
    problem: 'erased',
    id: 'other',
    cause: 'other',
    replacement_id: 'other',
    api_key_id: 'other',
    sealed_mail: 'sealed',
    replaced_by: 'other',
  },
  bulk_revocations: { address: 'erased', id: 'other', site_ids: 'other', batch_id: 'other' },
  bulk_revocation_vouchers: { problem: 'erased', revocation_id: 'other', outcome: 'other', cause: 'other' },
  audit: {
    actor: 'erased',
    subject: 'erased',
    details: 'erased',
    address: 'erased',
    actor_id: 'other',
    action: 'other',
  },
  // `site_name` is the name at the time of the event. Renaming the site later does not change it.
  outbox: { site_name: 'erased', source: 'erased', event_id: 'other' },
  messages: {
    payload: 'erased',
    ordered_by: 'erased',
    channel: 'other',
    event_id: 'other',
    kind: 'other',
    state: 'other',
    sealed_payload: 'sealed',
  },
  message_attempts: { error: 'erased', answer: 'erased' },
  message_recipients: { channel: 'other' },
  site_syncs: { error: 'erased', cause: 'other' },
  webhooks: {
    off_because: 'erased',
    name: 'kept',
    sealed_url: 'other',
    format: 'other',
    platform: 'other',
    sealed_secrets: 'other',
    events: 'other',
  },
  users: { name: 'kept', email: 'kept', role: 'other', password_hash: 'other' },
  identities: { name: 'kept', email: 'kept', subject: 'kept', issuer: 'other' },
  single_sign_on: {
    rules: 'kept',
    label: 'kept',
    issuer: 'other',
    client_id: 'other',
    sealed_client_secret: 'other',
    scopes: 'other',
  },
  web_sessions: { address: 'kept', agent: 'kept', token_hash: 'other' },
  sign_in_failures: { subject: 'kept' },
  intents: {
    name: 'kept',
    reference: 'kept',
    note: 'kept',
    source: 'kept',
    actor_id: 'other',
    batch_id: 'other',
    request_id: 'other',
    purpose: 'other',
  },
  api_keys: {
    name: 'kept',
    note: 'kept',
    last_used_ip: 'kept',
    id: 'other',
    scope: 'other',
    key_hash: 'other',
    site_ids: 'other',
  },
  sites: {
    name: 'kept',
    controller_kind: 'other',
    controller_site: 'other',
    controller_url: 'other',
    sealed_credentials: 'other',
    tls_trust: 'other',
    check_out: 'other',
    time_zone: 'other',
    reply_to: 'kept',
  },
  profiles: { name: 'kept' },
  mail_server: {
    username: 'kept',
    from_name: 'kept',
    from_address: 'kept',
    host: 'other',
    tls: 'other',
    sealed_password: 'other',
    ca: 'other',
  },
  mail_texts: { subject: 'kept', greeting: 'kept', closing: 'kept', language: 'other' },
  mail_slots: {},
  printers: {
    name: 'kept',
    kind: 'other',
    address: 'other',
    token_hash: 'other',
    sealed_token: 'other',
    layout: 'other',
    state: 'other',
    state_words: 'other',
  },
  screens: {
    name: 'kept',
    seen_ip: 'kept',
    seen_agent: 'kept',
    kind: 'other',
    offers: 'other',
    profile_ids: 'other',
    asks: 'other',
    pairing_hash: 'other',
    cookie_hash: 'other',
    token_hash: 'other',
    sealed_token: 'other',
  },
  terms: { text: 'kept', hash: 'other' },
  screen_results: { token_hash: 'other', language: 'other' },
  shown_codes: {},
  stock: { name: 'kept', state: 'other', code: 'other', controller_voucher_id: 'other' },
  site_reserves: {},
  request_pages: { mail_to: 'kept', token_hash: 'other', sealed_token: 'other' },
  guest_requests: {
    name: 'erased',
    host: 'erased',
    note: 'erased',
    reason: 'erased',
    decided_by: 'erased',
    language: 'other',
    token_hash: 'other',
    network_hash: 'other',
    state: 'other',
  },
  site_slips: {
    wifi_name: 'kept',
    text: 'kept',
    steps_de: 'kept',
    steps_en: 'kept',
    steps: 'kept',
    wifi_security: 'other',
    sealed_wifi_password: 'other',
    languages: 'other',
    theme: 'other',
    colour: 'other',
  },
  settings: { value: 'kept', name: 'other' },
  list_changes: {},
  controller_sessions: { address: 'other', sealed_session: 'other' },
  guest_links: { token_hash: 'other', sealed_token: 'other' },
  voucher_parts: { part: 'other', vouchers: 'other' },
  idempotent_answers: {
    api_key_id: 'other',
    idempotency_key: 'other',
    body_hash: 'other',
    answer: 'other',
    batch_id: 'other',
  },
  rate_windows: { api_key_id: 'other' },
  leases: { name: 'other', holder: 'other' },
  user_sites: {},
  profile_sites: {},
  images: { name: 'other', type: 'other', base64: 'other' },
  second_factors: { sealed_secret: 'other' },
  recovery_codes: { code_hash: 'other' },
  half_sign_ins: { token_hash: 'other' },
  sent_forms: { id: 'other' },
  invitations: { token_hash: 'other', password_digest: 'other' },
  reset_links: { token_hash: 'other', password_digest: 'other' },
  external_sessions: { token_hash: 'other', sealed_id_token: 'other', sealed_refresh_token: 'other' },
  user_grants: { rule_ids: 'other', own_role: 'other', own_site_ids: 'other' },
};

export type PersonalColumns = [table: SearchedTable, columns: string[]];

export function placesOf(kind: Kind): PersonalColumns[] {
  const tables = Object.keys(COLUMNS).filter((table): table is SearchedTable => table in COLUMNS);
  return tables.flatMap((table): PersonalColumns[] => {
    const kinds: [string, Kind][] = Object.entries(COLUMNS[table]);
    const columns = kinds.filter(([, its]) => its === kind).map(([column]) => column);
    return columns.length > 0 ? [[table, columns]] : [];
  });
}
