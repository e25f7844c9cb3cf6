// Rows for the fixtures that no command and no API request writes: those of pages, of background work, and of failures.
// A fixture takes the tables and columns that its schema has.

import { hash } from 'node:crypto';
import type { Tables } from '../../src/platform/database/schema.ts';
import type { SealedPlace } from '../../src/platform/secrets/sealed-columns.ts';

export type PageRows = { table: keyof Tables; row: Record<string, string | number | null> }[];

export const SESSION_TOKEN = 'the token of a session that outlives the upgrade';
const EXTERNAL_TOKEN = 'the token of a session of single sign-on';
const BATCH = 'b'.repeat(32);
const REVOCATION = 'c'.repeat(32);
const ISSUER = 'https://login.example.org';
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

interface Facts {
  nowMs: number;
  seal(plain: string, place: SealedPlace): string;
}

/** The rows refer to user 1, operator 2, site 1 and voucher 1, which every fixture has. */
export function makePageRows({ nowMs, seal }: Facts): PageRows {
  const order = { max_uses: 1, expire_minutes: 480, down_kbps: 10_000, up_kbps: 2_000, quota_mb: 0 };
  const sealed = (table: SealedPlace['table'], column: SealedPlace['column'], row: number | string) => ({
    [column]: seal(`sealed in ${table}`, { table, column, row }),
  });
  const session = (token: string, userId: number) => ({
    token_hash: hash('sha256', token),
    user_id: userId,
    created_at_ms: nowMs,
    seen_at_ms: nowMs,
    address: '192.0.2.7',
    agent: 'Firefox',
    authenticated_at_ms: nowMs,
    stays: 1,
  });
  const externalHash = hash('sha256', EXTERNAL_TOKEN);
  const voucherEvent = { voucher_count: 1, site_name: 'Demo', source: 'API: Kasse' };
  const { voucher_count: voucherCount, site_name: siteName, source } = voucherEvent;
  const delivery = {
    channel: 'webhook',
    recipient_id: 1,
    kind: 'voucher.created',
    payload: JSON.stringify({ voucherCount, siteName, source }),
    occurred_at_ms: nowMs,
  };
  return [
    {
      table: 'intents',
      row: { id: 99, site_id: 1, name: 'Zimmer 99', ...order, source: 'API: Kasse', created_at_ms: nowMs },
    },
    { table: 'outbox', row: { id: 99, event_id: 'event-99', ...voucherEvent, created_at_ms: nowMs } },
    {
      table: 'site_syncs',
      row: {
        site_id: 2,
        synced_at_ms: null,
        failed_at_ms: nowMs,
        error: 'the controller does not answer',
        cause: 'nobody-answers',
        failing_since_ms: nowMs,
      },
    },
    {
      table: 'controller_sessions',
      row: {
        address: 'https://192.0.2.1 wlan',
        ...sealed('controller_sessions', 'sealed_session', 'https://192.0.2.1 wlan'),
      },
    },
    { table: 'rate_windows', row: { api_key_id: 'anotherK', started_at_ms: nowMs, counted: 3, refused: 1 } },
    {
      table: 'mail_server',
      row: {
        id: 1,
        host: 'smtp.example.org',
        port: 587,
        tls: 'required',
        username: 'gastpass',
        ...sealed('mail_server', 'sealed_password', 1),
        ca: null,
        from_name: 'Hotel',
        from_address: 'wlan@example.org',
        per_hour: 300,
      },
    },
    {
      table: 'mail_texts',
      row: { site_id: 1, language: 'de', subject: 'Ihr WLAN', greeting: 'Guten Tag', closing: '' },
    },
    { table: 'mail_slots', row: { id: 1, at_ms: nowMs } },
    {
      table: 'printers',
      row: {
        id: 1,
        site_id: 1,
        name: 'Rezeption',
        kind: 'cloudprnt',
        address: null,
        token_hash: 'a-token-hash',
        ...sealed('printers', 'sealed_token', 'a-token-hash'),
        paper: 80,
        layout: 'full',
        copies: 1,
        has_cutter: 1,
        job_minutes: 10,
        created_at_ms: nowMs,
        state: 'paper-out',
        state_words: '410 Paper Out',
        state_at_ms: nowMs,
        seen_at_ms: nowMs,
        printed_at_ms: nowMs,
        failures: 1,
        due_at_ms: nowMs,
      },
    },
    {
      table: 'screens',
      row: {
        id: 1,
        site_id: 1,
        name: 'Lobby',
        kind: 'rolling',
        offers: 'vouchers',
        profile_ids: '1',
        asks: '',
        printer_id: null,
        per_minute: 10,
        per_day: 200,
        idle_minutes: 15,
        terms_id: 1,
        created_at_ms: nowMs,
        pairing_hash: 'a-pairing-hash',
        pairing_until_ms: nowMs,
        cookie_hash: 'a-cookie-hash',
        paired_at_ms: nowMs,
        token_hash: 'a-screen-token-hash',
        ...sealed('screens', 'sealed_token', 'a-screen-token-hash'),
        seen_at_ms: nowMs,
        seen_ip: '192.0.2.7',
        seen_agent: 'Mozilla/5.0',
        looked_at_ms: nowMs,
        voucher_id: null,
        shown_at_ms: null,
      },
    },
    {
      table: 'terms',
      row: { id: 1, screen_id: 1, version: 1, text: 'Sei nett.', hash: 'a-hash', created_at_ms: nowMs },
    },
    {
      table: 'stock',
      row: {
        id: 1,
        site_id: 1,
        screen_id: null,
        state: 'ready',
        name: '2026-03-29_Reserve',
        max_uses: 1,
        expire_minutes: 480,
        down_kbps: 0,
        up_kbps: 0,
        quota_mb: 0,
        code: '0000000099',
        controller_voucher_id: 'stock-1',
        made_at_ms: nowMs,
        missing_since_ms: null,
      },
    },
    {
      table: 'screen_results',
      row: { token_hash: 'a-result', screen_id: 1, voucher_id: 1, language: 'de', until_ms: nowMs },
    },
    { table: 'shown_codes', row: { voucher_id: 1, due_at_ms: nowMs } },
    { table: 'site_reserves', row: { site_id: 1, wanted: 20, profile_id: 1 } },
    {
      table: 'request_pages',
      row: {
        site_id: 1,
        token_hash: 'a-request-token-hash',
        ...sealed('request_pages', 'sealed_token', 'a-request-token-hash'),
        mail_to: 'empfang@example.org',
      },
    },
    {
      table: 'guest_requests',
      row: {
        id: 1,
        site_id: 1,
        screen_id: 1,
        name: 'Anna',
        host: 'Zimmer 12',
        note: '',
        language: 'de',
        token_hash: 'a-guest-token-hash',
        state: 'declined',
        reason: 'voll',
        voucher_id: null,
        decided_by: 'Web: Anna',
        terms_id: 1,
        terms_accepted_at_s: 1,
        created_at_ms: nowMs,
        expires_at_ms: nowMs,
        decided_at_ms: nowMs,
      },
    },
    { table: 'message_recipients', row: { channel: 'mail', recipient_id: 1, failures: 2, due_at_ms: nowMs } },
    { table: 'leases', row: { name: 'settle', holder: 'an instance that ended', until_ms: nowMs } },
    {
      table: 'messages',
      row: { id: 1, event_id: 'event-1', ...delivery, state: 'done', attempts: 1, finished_at_ms: nowMs },
    },
    {
      table: 'messages',
      row: { id: 2, event_id: 'event-2', ...delivery, state: 'waiting', attempts: 1, finished_at_ms: null },
    },
    {
      table: 'messages',
      row: {
        id: 3,
        event_id: 'event-3',
        channel: 'mail',
        recipient_id: 2,
        kind: 'voucher',
        payload: '{"domain":"example.org","language":"de"}',
        ...sealed('messages', 'sealed_payload', 'event-3'),
        ordered_by: 'key anotherK',
        state: 'failed',
        attempts: 1,
        occurred_at_ms: nowMs,
        finished_at_ms: nowMs,
        voucher_id: 1,
      },
    },
    {
      table: 'message_attempts',
      row: {
        id: 1,
        message_id: 2,
        at_ms: nowMs,
        duration_ms: 12,
        status: 500,
        error: null,
        answer: 'später',
      },
    },
    { table: 'user_sites', row: { user_id: 2, site_id: 1 } },
    { table: 'web_sessions', row: session(SESSION_TOKEN, 1) },
    { table: 'web_sessions', row: session(EXTERNAL_TOKEN, 2) },
    { table: 'sign_in_failures', row: { subject: 'nobody@example.org', count: 2, last_at_ms: nowMs } },
    {
      table: 'batches',
      row: {
        id: BATCH,
        user_id: 1,
        site_id: 1,
        name: 'Tagung',
        ...order,
        wanted: 2,
        ended_at_ms: nowMs,
        problem: 'controller-failed',
        cause: null,
        created_at_ms: nowMs,
      },
    },
    { table: 'profiles', row: { id: 1, name: 'Tagesgast', ...order } },
    { table: 'profile_sites', row: { profile_id: 1, site_id: 1 } },
    {
      table: 'site_slips',
      row: {
        site_id: 1,
        wifi_name: 'Gäste',
        wifi_security: 'wpa',
        ...sealed('site_slips', 'sealed_wifi_password', 1),
        text: 'Willkommen!',
        languages: 'de en',
        steps_de: 'WLAN wählen',
      },
    },
    {
      table: 'mail_server',
      row: {
        id: 1,
        host: 'mail.example.org',
        port: 587,
        tls: 'required',
        username: 'wlan@example.org',
        ...sealed('mail_server', 'sealed_password', 1),
        from_name: 'Hotel Sonne',
        from_address: 'wlan@example.org',
        per_hour: 300,
      },
    },
    {
      table: 'mail_texts',
      row: { site_id: 1, language: 'de', subject: 'Ihr WLAN', greeting: '', closing: 'Bis bald!' },
    },
    { table: 'mail_slots', row: { id: 1, at_ms: nowMs } },
    {
      table: 'guest_links',
      row: {
        voucher_id: 1,
        token_hash: hash('sha256', 'sealed in guest_links'),
        ...sealed('guest_links', 'sealed_token', 1),
        created_at_ms: nowMs,
        opened_at_ms: null,
      },
    },
    { table: 'images', row: { name: 'logo', type: 'image/png', base64: PIXEL } },
    {
      table: 'second_factors',
      row: {
        user_id: 2,
        ...sealed('second_factors', 'sealed_secret', 2),
        last_step: 1,
        created_at_ms: nowMs,
      },
    },
    { table: 'recovery_codes', row: { user_id: 2, code_hash: hash('sha256', 'a recovery code') } },
    {
      table: 'half_sign_ins',
      row: { token_hash: hash('sha256', 'a login'), user_id: 2, created_at_ms: nowMs },
    },
    { table: 'sent_forms', row: { id: 'form-1', at_ms: nowMs } },
    {
      table: 'invitations',
      row: {
        user_id: 2,
        token_hash: hash('sha256', 'a link'),
        password_digest: hash('sha256', 'a hash'),
        is_first: 1,
        expires_at_ms: nowMs,
      },
    },
    {
      table: 'reset_links',
      row: {
        token_hash: hash('sha256', 'a further link'),
        user_id: 2,
        password_digest: hash('sha256', 'a hash'),
        expires_at_ms: nowMs,
      },
    },
    {
      table: 'single_sign_on',
      row: {
        id: 1,
        issuer: ISSUER,
        client_id: 'gastpass',
        ...sealed('single_sign_on', 'sealed_client_secret', 1),
        scopes: 'openid email',
        label: 'Haus-Login',
      },
    },
    {
      table: 'identities',
      row: {
        id: 1,
        issuer: ISSUER,
        subject: 'rita',
        user_id: 2,
        email: 'rita@example.org',
        name: 'Rita',
        seen_at_ms: nowMs,
      },
    },
    {
      table: 'external_sessions',
      row: {
        token_hash: externalHash,
        ...sealed('external_sessions', 'sealed_id_token', externalHash),
        ...sealed('external_sessions', 'sealed_refresh_token', externalHash),
        checked_at_ms: nowMs,
        next_check_at_ms: nowMs,
      },
    },
    { table: 'user_grants', row: { user_id: 2, rule_ids: '[]', own_role: 'operator', own_site_ids: '[1]' } },
    {
      table: 'bulk_revocations',
      row: {
        id: REVOCATION,
        user_id: 1,
        address: '192.0.2.7',
        site_ids: '1',
        batch_id: BATCH,
        only_unused: 1,
        created_at_ms: nowMs,
        ended_at_ms: nowMs,
      },
    },
    {
      table: 'bulk_revocation_vouchers',
      row: { revocation_id: REVOCATION, voucher_id: 1, site_id: 1, outcome: 'revoked' },
    },
    { table: 'voucher_parts', row: { part: '', block: 0, vouchers: '' } },
    { table: 'list_changes', row: { id: 99, site_id: 1 } },
  ];
}
