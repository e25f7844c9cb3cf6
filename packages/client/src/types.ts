// What the API takes and returns. Field names are those of the API. Times are RFC 3339 in UTC. A newer service may
// return further fields.

import type { Retry } from './retry.ts';

/** Of a limit, null means unlimited. */
interface Limits {
  down_kbps: number | null;
  up_kbps: number | null;
  data_mb: number | null;
}

interface Range {
  min: number;
  max: number;
}

export interface Profile extends Limits {
  id: number;
  name: string;
  devices: number;
  /** Null if the profile has `nights`. */
  minutes: number | null;
  nights: number | null;
}

export interface Printer {
  id: number;
  name: string;
}

export interface Site {
  id: number;
  name: string;
  /** As IANA names it, such as `Europe/Vienna`. */
  time_zone: string;
  /** The time of day (HH:MM) at which vouchers for nights end. */
  check_out: string;
  /** The kind of network controller. */
  controller: string;
  /** The profiles that an order may name. */
  profiles: Profile[];
  /** The printers that an order may name. */
  printers: Printer[];
  /** The values that an order may have at this site. */
  limits: { devices: Range; minutes: Range; down_kbps: Range; up_kbps: Range; data_mb: Range };
}

export type VoucherStatus = 'unused' | 'in-use' | 'used-up' | 'expired' | 'revoked' | 'deleted';

export interface Voucher extends Limits {
  id: number;
  /** The id of the site. */
  site: number;
  name: string;
  /** What the guest types, without dashes. */
  code: string;
  /** The code as it is written for people. */
  formatted_code: string;
  status: VoucherStatus;
  /** How many devices may use it. 0: any number, which only vouchers made on the controller have. */
  devices: number;
  /** How many devices have used it. */
  used: number;
  /** How long it lasts from its first use. */
  minutes: number;
  /** The end that was ordered. Null: only `minutes` counts. */
  ends_at: string | null;
  /** When its time is over. Null while that is not known, because nobody has used it. */
  expires_at: string | null;
  /** The id of the profile it was ordered with. */
  profile: number | null;
  reference: string | null;
  note: string | null;
  created_at: string;
}

export interface HistoryEvent {
  at: string;
  event: 'created' | 'first-used' | 'revoked' | 'deleted' | 'expired';
  by: 'key' | 'user' | 'controller' | 'command-line' | null;
  /** The name of the API key, if `by` is `key`. */
  key: string | null;
}

export interface VoucherWithHistory extends Voucher {
  /** Oldest first. */
  history: HistoryEvent[];
}

/** Newest first. A page may have fewer vouchers than `limit`: only `next_cursor` tells whether it is the last one. */
export interface VoucherPage {
  vouchers: Voucher[];
  /** Null on the last page. */
  next_cursor: string | null;
}

export interface VoucherFilter {
  /** All sites of the key by default. */
  site?: number | undefined;
  status?: VoucherStatus | undefined;
  /** Exactly this reference. */
  reference?: string | undefined;
  /** A part of the name, in upper or lower case. */
  name?: string | undefined;
  /** Created at this moment or later; a time of RFC 3339. */
  created_after?: string | undefined;
  /** How many vouchers a page has at most: 1 to 500, 100 by default. */
  limit?: number | undefined;
}

/** What is not given comes from the profile, or is the default. */
export interface VoucherOrder {
  site: number;
  name: string;
  /** 1 by default. */
  devices?: number | undefined;
  /** Counted from the first use; 480 by default. At most one of `minutes`, `nights` and `ends_at`. */
  minutes?: number | null | undefined;
  /** Ends at the check-out time of the site. */
  nights?: number | null | undefined;
  /** A time of RFC 3339. */
  ends_at?: string | null | undefined;
  /** Of these three, null means unlimited, also if the profile has a limit. */
  down_kbps?: number | null | undefined;
  up_kbps?: number | null | undefined;
  data_mb?: number | null | undefined;
  /** The id of a profile of the site. */
  profile?: number | null | undefined;
  /** Your own, such as the number of a booking: `listVouchers({ reference })` finds the voucher. */
  reference?: string | null | undefined;
  /** Whether the voucher replaces all other living ones that this key has ordered with this `reference` at the site. */
  replaces?: boolean | undefined;
  note?: string | null | undefined;
  /** The address that the voucher is sent to. In a batch, each voucher is sent in an e-mail of its own. */
  email?: string | null | undefined;
  /** The language of the e-mail, such as `de` or `en-GB`; that of the site by default. */
  language?: string | null | undefined;
  /** The id of a printer of the site, which prints the voucher. In a batch, each voucher is printed. */
  print?: number | null | undefined;
}

export interface Batch {
  id: string;
  /** `running`: it is being filled, or waits. `failed`: it ended with fewer vouchers than ordered; those are valid. */
  state: 'running' | 'done' | 'failed';
  /** How many vouchers were ordered. */
  count: number;
  /** How many vouchers exist. */
  created: number;
  vouchers: Voucher[];
  /** Set while the batch waits because the controller fails. The batch goes on by itself until this time. */
  waiting: { cause: string | null; until: string } | null;
  /** Why vouchers are missing. */
  problem: { type: string; title: string; cause: string | null; retry: Retry } | null;
}

export interface Key {
  name: string;
  /** `write` includes `read`. */
  scope: 'read' | 'write';
  sites: 'all' | number[];
  /** Requests per minute. Null: unlimited. */
  rate_limit: number | null;
  expires_at: string | null;
}

/** A voucher that a new one replaces. `pending`: it is revoked as soon as the console can be reached. */
export interface Replaced {
  id: number;
  state: 'done' | 'pending';
}

/** What the answer to an order says about its Idempotency-Key. */
export interface Repetition {
  /**
   * The order was placed before: by an earlier call with this Idempotency-Key, or by an attempt whose answer was lost.
   */
  replayed: boolean;
  /** All vouchers of an earlier order with this Idempotency-Key have ended; this order replaces it. */
  freed: boolean;
  /** Only for an order with `replaces`. */
  replaced?: Replaced[] | undefined;
}

export type CreatedVoucher = Voucher & Repetition;

export interface CreatedVouchers extends Repetition {
  vouchers: Voucher[];
  /** Null if one voucher was ordered. */
  batch: Batch | null;
}
