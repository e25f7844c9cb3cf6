// The tables of screens.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface ScreenTables {
  screens: {
    id: Generated<number>;
    site_id: number;
    name: string;
    kind: string;
    offers: string;
    /** The ids of the profiles, separated by commas; empty for the default limits. */
    profile_ids: string;
    /** The fields that guests must fill in, separated by commas. */
    asks: string;
    /** The printer that prints the vouchers. It may have been removed since. */
    printer_id: number | null;
    per_minute: number;
    per_day: number;
    idle_minutes: number;
    /** The terms that guests must accept. */
    terms_id: number | null;
    created_at_ms: number;
    /** The hash of the pairing code; null once the code is used. */
    pairing_hash: string | null;
    pairing_until_ms: number | null;
    /** Set while a device is paired. */
    cookie_hash: Generated<string | null>;
    paired_at_ms: Generated<number | null>;
    /** The token of the path of a rolling code; null for other kinds. */
    token_hash: string | null;
    sealed_token: string | null;
    seen_at_ms: Generated<number | null>;
    seen_ip: Generated<string | null>;
    seen_agent: Generated<string | null>;
    /** When the rolling code was last fetched. */
    looked_at_ms: Generated<number | null>;
    /** The voucher that a rolling code shows now, and since when. */
    voucher_id: Generated<number | null>;
    shown_at_ms: Generated<number | null>;
  };
  terms: {
    id: Generated<number>;
    screen_id: number;
    version: number;
    text: string;
    /** The SHA-256 of the text. */
    hash: string;
    created_at_ms: number;
  };
  /** The result page of a kiosk, which can be opened once. */
  screen_results: {
    token_hash: string;
    screen_id: number;
    voucher_id: number;
    language: string;
    until_ms: number;
  };
  /** Rolling codes that no screen shows any more. They are revoked if nobody has used them. */
  shown_codes: { voucher_id: number; due_at_ms: number };
}

export const tables = {
  screens: {
    key: ['id'],
    personal: {
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
    },
    sealed: { sealed_token: { key: 'token_hash', replaceable: 'value' } },
  },
  terms: { key: ['id'], personal: { text: 'kept', hash: 'other' } },
  screen_results: { key: ['token_hash'], personal: { token_hash: 'other', language: 'other' } },
  shown_codes: { key: ['voucher_id'], personal: {} },
} satisfies Declarations<ScreenTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends ScreenTables {}
}
