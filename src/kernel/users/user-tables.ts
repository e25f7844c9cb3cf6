// The tables of users, of their second factors, and of the links with which they set a password.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface UserTables {
  users: {
    id: Generated<number>;
    email: string;
    name: string;
    role: string;
    password_hash: string;
    created_at_ms: number;
    active: Generated<number>;
  };
  user_sites: { user_id: number; site_id: number };
  /** `last_step` is the last 30-second step whose code was used. A code is accepted only once. */
  second_factors: { user_id: number; sealed_secret: string; last_step: number; created_at_ms: number };
  recovery_codes: { user_id: number; code_hash: string };
  half_sign_ins: { token_hash: string; user_id: number; created_at_ms: number };
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
}

export const tables = {
  users: { key: ['id'], personal: { name: 'kept', email: 'kept', role: 'other', password_hash: 'other' } },
  user_sites: { key: ['user_id', 'site_id'], personal: {} },
  second_factors: { key: ['user_id'], personal: {}, sealed: { sealed_secret: { key: 'user_id' } } },
  recovery_codes: { key: ['user_id', 'code_hash'], personal: { code_hash: 'other' } },
  half_sign_ins: { key: ['token_hash'], copied: 'by-move', personal: { token_hash: 'other' } },
  invitations: { key: ['user_id'], personal: { token_hash: 'other', password_digest: 'other' } },
  reset_links: {
    key: ['token_hash'],
    copied: 'by-move',
    personal: { token_hash: 'other', password_digest: 'other' },
  },
} satisfies Declarations<UserTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends UserTables {}
}
