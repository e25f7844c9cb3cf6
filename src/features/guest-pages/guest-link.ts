// The guest link, which opens the guest page of a voucher, and the store. A voucher has at most one link. Whoever has
// the link sees the voucher without a login, so the token of the link is treated like a password.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { SiteId, VoucherId } from '../../kernel/ids.ts';
import type { Token } from '../../platform/secrets/token.ts';

export const GUEST_PATH = '/g';

export interface GuestLink {
  token: string;
  /** The hour in which the page was last opened; null before that. */
  openedAtMs: number | null;
}

/** The voucher of a link. */
export interface LinkedVoucher {
  id: VoucherId;
  siteId: SiteId;
}

export interface GuestLinkStore {
  /** Undefined also if the stored link cannot be opened. */
  find(voucherId: VoucherId): Promise<GuestLink | undefined>;
  findVoucher(tokenHash: string): Promise<LinkedVoucher | undefined>;
  /** The token hashes of all links; undefined if there are more than `maxLinks`. */
  listHashes(maxLinks: number): Promise<Set<string> | undefined>;
  /** False if the voucher already has a link, which then stays as it is unless it cannot be opened. */
  add(voucher: LinkedVoucher, token: Token, audit: AuditContext): Promise<boolean>;
  /** Replaces the token, so that the link given out before no longer works. False if the voucher has no link. */
  renew(voucher: LinkedVoucher, token: Token, audit: AuditContext): Promise<boolean>;
  /** False if the voucher has no link. */
  remove(voucher: LinkedVoucher, audit: AuditContext): Promise<boolean>;
  /** Stores the hour of `atMs`. Writes only if a later hour than the stored one has begun. */
  noteOpened(voucherId: VoucherId, atMs: number): Promise<void>;
  /** Deletes the links of vouchers that ended before `beforeS`. */
  forgetEnded(beforeS: number): Promise<void>;
}
