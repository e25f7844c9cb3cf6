// The tables of vouchers, of orders that are not finished, and of bulk revocations.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

/** What is ordered from a controller. */
export interface OrderColumns {
  name: string;
  max_uses: number;
  expire_minutes: number;
  down_kbps: number;
  up_kbps: number;
  quota_mb: number;
}

/** What callers of the API store with a voucher. */
export interface LabelColumns {
  reference: Generated<string | null>;
  note: Generated<string | null>;
  profile_id: Generated<number | null>;
}

/** The terms that the guest accepted, and when. */
interface TermsColumns {
  terms_id: Generated<number | null>;
  terms_accepted_at_s: Generated<number | null>;
}

export interface VoucherTables {
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
}

export const tables = {
  vouchers: {
    key: ['id'],
    personal: {
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
  },
  voucher_parts: {
    key: ['part', 'block'],
    copied: 'by-move',
    personal: { part: 'other', vouchers: 'other' },
  },
  intents: {
    key: ['id'],
    personal: {
      name: 'kept',
      reference: 'kept',
      note: 'kept',
      source: 'kept',
      actor_id: 'other',
      batch_id: 'other',
      request_id: 'other',
      purpose: 'other',
    },
  },
  idempotent_answers: {
    key: ['api_key_id', 'idempotency_key'],
    personal: {
      api_key_id: 'other',
      idempotency_key: 'other',
      body_hash: 'other',
      answer: 'other',
      batch_id: 'other',
    },
  },
  bulk_revocations: {
    key: ['id'],
    personal: { address: 'erased', id: 'other', site_ids: 'other', batch_id: 'other' },
  },
  bulk_revocation_vouchers: {
    key: ['revocation_id', 'voucher_id'],
    personal: { problem: 'erased', revocation_id: 'other', outcome: 'other', cause: 'other' },
  },
} satisfies Declarations<VoucherTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends VoucherTables {}
}
