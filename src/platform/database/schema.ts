// The types of the tables for Kysely. Points in time are Unix times; the suffix gives the unit: `_ms` for milliseconds,
// `_s` for seconds. Boolean columns hold 1 and 0, which both engines store alike.

import type { Generated } from 'kysely';
import type { MailTables } from '../../features/mail/mail-tables.ts';
import type { PrinterTables } from '../../features/printers/printer-tables.ts';
import type { RequestTables } from '../../features/requests/request-tables.ts';
import type { ReserveTables } from '../../features/reserve/reserve-tables.ts';
import type { ScreenTables } from '../../features/screens/screen-tables.ts';
import type { MessageTables } from '../../kernel/messages/message-tables.ts';
import type { StockTables } from '../../kernel/stock/stock-tables.ts';

/** What is ordered from a controller. */
interface OrderColumns {
  name: string;
  max_uses: number;
  expire_minutes: number;
  down_kbps: number;
  up_kbps: number;
  quota_mb: number;
}

/** What callers of the API store with a voucher. */
interface LabelColumns {
  reference: Generated<string | null>;
  note: Generated<string | null>;
  profile_id: Generated<number | null>;
}

/** The terms that the guest accepted, and when. */
interface TermsColumns {
  terms_id: Generated<number | null>;
  terms_accepted_at_s: Generated<number | null>;
}

export interface Tables
  extends MailTables,
    MessageTables,
    PrinterTables,
    RequestTables,
    ScreenTables,
    ReserveTables,
    StockTables {
  settings: { name: string; value: string };
  sites: {
    id: Generated<number>;
    name: string;
    active: number;
    controller_kind: string;
    controller_site: string;
    list_version: Generated<number>;
    created_at_ms: number;
    controller_url: string | null;
    /** Sealed JSON. */
    sealed_credentials: string | null;
    /** `ca`, `insecure`, `pinned:<fingerprint>`, or `unconfirmed` for a site that was moved in. */
    tls_trust: Generated<string>;
    imports_foreign: Generated<number>;
    /** HH:MM. */
    check_out: Generated<string>;
    /** Null for the time zone of the service. */
    time_zone: Generated<string | null>;
    guest_page: Generated<number>;
    /** The address for replies to mails. */
    reply_to: Generated<string | null>;
  };
  /** One row for each change that is not added to `list_version` yet. */
  list_changes: { id: Generated<number>; site_id: number };
  site_syncs: {
    site_id: number;
    synced_at_ms: number | null;
    failed_at_ms: number | null;
    error: string | null;
    cause: string | null;
    failing_since_ms: number | null;
    /** The start of the reported outage; null while the site has no reported outage. */
    outage_since_ms: Generated<number | null>;
    /** 1 once a changed certificate was reported, until the next successful sync. */
    certificate_reported: Generated<number>;
    /** When the last successful sync began. A use that is older than this is known. */
    began_at_ms: Generated<number | null>;
  };
  controller_sessions: { address: string; sealed_session: string };
  api_keys: {
    id: string;
    name: string;
    scope: string;
    rate_limit: number;
    key_hash: string;
    created_at_ms: number;
    last_used_at_ms: number | null;
    revoked_at_ms: number | null;
    /** `all`, or the ids separated by commas. A move-in may reuse ids of removed sites: it first deletes them here. */
    site_ids: Generated<string>;
    expires_at_ms: number | null;
    note: Generated<string>;
    last_used_ip: string | null;
  };
  vouchers: OrderColumns &
    LabelColumns &
    TermsColumns & {
      id: Generated<number>;
      site_id: number;
      code: string;
      controller_voucher_id: string | null;
      owner_user_id: number | null;
      used_count: number;
      created_at_s: number;
      first_used_at_s: number | null;
      ended_at_s: number | null;
      /** When the controller stopped listing the voucher; null while the controller is expected to list it. */
      missing_since_s: number | null;
      /** Null for vouchers that were created in another way. */
      batch_id: string | null;
      revoked_at_s: number | null;
      /** The actor as notifications show it; null if the voucher is not revoked or an earlier release revoked it. */
      revoked_by: string | null;
      /** The source as notifications show it, or `Controller`; null for vouchers recorded by earlier releases. */
      source: string | null;
      /** The id of the API key or user in `source`; null for vouchers recorded by earlier releases. */
      actor_id: string | null;
      /** The sort key of the name; empty for vouchers that an instance of an earlier release recorded. */
      name_order: Generated<string>;
      /** The batch that replaces the lost voucher; empty if a user decided that no replacement is needed. */
      replaced_by: Generated<string | null>;
      /** The end that was ordered, such as the check-out after some nights; null if only the minutes count. */
      ends_at_s: Generated<number | null>;
      /** The screen at which the voucher was handed out. It may have been removed since. */
      screen_id: Generated<number | null>;
      /** The name on the controller of a voucher from the stock; null for all others. */
      console_name: Generated<string | null>;
      /** The voucher that replaces this one after a change of its booking. This one is revoked, now or soon. */
      successor_id: Generated<number | null>;
    };
  /** `opened_at_ms` is the hour in which a guest last opened the page; null before that. */
  guest_links: {
    voucher_id: number;
    token_hash: string;
    sealed_token: string;
    created_at_ms: number;
    opened_at_ms: number | null;
  };
  /** The search index, in the format of search-parts.ts. `block` is the number of a range of voucher ids. */
  voucher_parts: { part: string; block: number; vouchers: string };
  intents: OrderColumns &
    LabelColumns &
    TermsColumns & {
      id: Generated<number>;
      site_id: number;
      source: string;
      actor_id: string | null;
      created_at_ms: number;
      owner_user_id: number | null;
      batch_id: string | null;
      request_id: string | null;
      ends_at_s: Generated<number | null>;
      /** Set if the voucher is for the stock, a screen or a request of a guest; see `order-purpose.ts`. */
      purpose: Generated<string | null>;
      purpose_id: Generated<number | null>;
    };
  idempotent_answers: {
    api_key_id: string;
    idempotency_key: string;
    body_hash: string;
    /** Set while the first request with this idempotency key is in progress. */
    intent_id: number | null;
    /** The created voucher as JSON, returned to repeated requests; null until the voucher is recorded. */
    answer: string | null;
    created_at_ms: number;
    /** The voucher or the batch that `answer` names. Both are null if an earlier release has stored the answer. */
    voucher_id: Generated<number | null>;
    batch_id: Generated<string | null>;
  };
  outbox: {
    id: Generated<number>;
    event_id: string;
    voucher_count: number;
    site_name: string;
    source: string;
    created_at_ms: number;
  };
  webhooks: {
    id: Generated<number>;
    /** Sealed, because the URL of a chat webhook is enough to post to the chat. */
    sealed_url: string;
    format: string;
    platform: string | null;
    /** Sealed JSON; null for chats, whose messages are not signed. */
    sealed_secrets: string | null;
    active: number;
    off_because: string | null;
    /** The number of consecutive failed attempts. */
    failures: Generated<number>;
    /** The earliest time of the next attempt. */
    due_at_ms: Generated<number>;
    paused_at_ms: Generated<number | null>;
    created_at_ms: number;
    /** Empty in webhooks of earlier releases. */
    name: Generated<string>;
    /** Event kinds, separated by commas. */
    events: Generated<string>;
  };
  rate_windows: { api_key_id: string; started_at_ms: number; counted: number; refused: number };
  leases: { name: string; holder: string; until_ms: number };
  /** One row per running service. `release` is the version that it runs. */
  instances: {
    id: string;
    name: string;
    release: string;
    schema_version: number;
    started_at_ms: number;
    seen_at_ms: number;
  };
  audit: {
    id: Generated<number>;
    at_ms: number;
    /** Kind and name, as notifications show them. */
    actor: string;
    actor_id: string | null;
    action: string;
    /** The details as a text. */
    subject: string;
    /** JSON; null in entries of earlier releases. */
    details: string | null;
    address: string | null;
  };
  users: {
    id: Generated<number>;
    email: string;
    name: string;
    role: string;
    password_hash: string;
    created_at_ms: number;
    active: Generated<number>;
  };
  web_sessions: {
    token_hash: string;
    user_id: number;
    created_at_ms: number;
    seen_at_ms: number;
    address: string;
    agent: string;
    /** When the user last entered the password. */
    authenticated_at_ms: Generated<number>;
    /** 1 if the session stays after the browser is closed. */
    stays: Generated<number>;
  };
  sign_in_failures: { subject: string; count: number; last_at_ms: number };
  user_sites: { user_id: number; site_id: number };
  profiles: OrderColumns & {
    id: Generated<number>;
    /** Null if the vouchers last `expire_minutes`. */
    nights: Generated<number | null>;
  };
  /** A profile without rows here applies to all sites. */
  profile_sites: { profile_id: number; site_id: number };
  batches: OrderColumns &
    LabelColumns & {
      id: string;
      /** The user who ordered the batch in the web interface; null if an API key ordered it. */
      user_id: number | null;
      api_key_id: Generated<string | null>;
      site_id: number;
      wanted: number;
      /** Null while the batch is in progress. */
      ended_at_ms: number | null;
      /** Why vouchers are missing, or why an open batch waits. */
      problem: string | null;
      created_at_ms: number;
      cause: string | null;
      /** The replacement of lost vouchers to which the batch belongs; null for all other batches. */
      replacement_id: Generated<string | null>;
      /** When the order was tried again, or when the user hid its failure; null for all other batches. */
      settled_at_ms: Generated<number | null>;
      ends_at_s: Generated<number | null>;
      /** Sealed JSON: the address and the language of the mails that its vouchers are sent with. */
      sealed_mail: Generated<string | null>;
      /** The printer that prints its vouchers. It may have been removed since. */
      printer_id: Generated<number | null>;
      /** By the clock of the database. Null if the batch does not go on by itself. */
      goes_on_until_ms: Generated<number | null>;
      /** How many of its vouchers were announced before it was resumed. */
      announced: Generated<number | null>;
      /** The batch that was ordered instead of this one. */
      replaced_by: Generated<string | null>;
    };
  bulk_revocations: {
    id: string;
    user_id: number;
    address: string;
    /** The ids of the vouchers' sites, separated by commas. */
    site_ids: string;
    /** Set if the unused vouchers of this batch are revoked. */
    batch_id: string | null;
    only_unused: number;
    created_at_ms: number;
    /** Null while the bulk revocation is in progress. */
    ended_at_ms: number | null;
  };
  bulk_revocation_vouchers: {
    revocation_id: string;
    voucher_id: number;
    site_id: number;
    /** Null while the voucher waits for its revocation. */
    outcome: string | null;
    problem: string | null;
    cause: string | null;
  };
  site_slips: {
    site_id: number;
    wifi_name: string;
    wifi_security: string;
    sealed_wifi_password: string | null;
    text: string;
    /** Separated by spaces; empty for the installation's language. */
    languages: string;
    /** Null for the default steps. */
    steps_de: string | null;
    steps_en: string | null;
    /** JSON with the steps of each language. For their languages, `steps_de` and `steps_en` take precedence. */
    steps: Generated<string | null>;
    theme: Generated<string>;
    /** As `#rrggbb`. */
    colour: Generated<string>;
    logo_has_name: Generated<number>;
  };
  /** `name` is `logo` or `site-<id of the site>`. */
  images: { name: string; type: string; base64: string };
  /** `last_step` is the last 30-second step whose code was used. A code is accepted only once. */
  second_factors: { user_id: number; sealed_secret: string; last_step: number; created_at_ms: number };
  recovery_codes: { user_id: number; code_hash: string };
  half_sign_ins: { token_hash: string; user_id: number; created_at_ms: number };
  sent_forms: { id: string; at_ms: number };
  /** Links of administrators with which users set a password. `is_first` is 1 if the user has never set one. */
  invitations: {
    user_id: number;
    token_hash: string;
    password_digest: string;
    is_first: number;
    expires_at_ms: number;
  };
  /** Links that users ask for on the login page. */
  reset_links: { token_hash: string; user_id: number; password_digest: string; expires_at_ms: number };
  /** One row at most. The columns of the provider are null without a provider. */
  single_sign_on: {
    id: number;
    issuer: string | null;
    client_id: string | null;
    sealed_client_secret: string | null;
    scopes: string | null;
    label: Generated<string>;
    /** JSON. */
    rules: Generated<string>;
    hides_password_form: Generated<number>;
    trusts_email: Generated<number>;
  };
  identities: {
    id: Generated<number>;
    issuer: string;
    subject: string;
    /** Null while the identity waits for an administrator. */
    user_id: number | null;
    email: string;
    name: string;
    seen_at_ms: number;
  };
  external_sessions: {
    token_hash: string;
    /** Null for sessions of a trusted proxy. */
    sealed_id_token: string | null;
    /** Null if the provider gave no refresh token. The two times are then null too, and the session is not checked. */
    sealed_refresh_token: Generated<string | null>;
    /** When the provider last confirmed the session. */
    checked_at_ms: Generated<number | null>;
    next_check_at_ms: Generated<number | null>;
  };
  /** Users whose role and sites come from rules of single sign-on. */
  user_grants: {
    user_id: number;
    /** JSON: the ids of the rules that matched. */
    rule_ids: string;
    /** The role and the sites (JSON) that the user has without the rules. */
    own_role: string;
    own_site_ids: string;
  };
}
