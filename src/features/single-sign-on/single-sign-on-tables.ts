// The tables of single sign-on.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface SingleSignOnTables {
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

export const tables = {
  single_sign_on: {
    key: ['id'],
    personal: { rules: 'kept', label: 'kept', issuer: 'other', client_id: 'other', scopes: 'other' },
    sealed: { sealed_client_secret: { key: 'id' } },
  },
  identities: { key: ['id'], personal: { name: 'kept', email: 'kept', subject: 'kept', issuer: 'other' } },
  external_sessions: {
    key: ['token_hash'],
    copied: 'by-move',
    personal: { token_hash: 'other' },
    sealed: {
      sealed_id_token: { key: 'token_hash', replaceable: { rowOf: 'web_sessions' } },
      sealed_refresh_token: { key: 'token_hash', replaceable: { rowOf: 'web_sessions' } },
    },
  },
  user_grants: {
    key: ['user_id'],
    personal: { rule_ids: 'other', own_role: 'other', own_site_ids: 'other' },
  },
} satisfies Declarations<SingleSignOnTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends SingleSignOnTables {}
}
