// A request: a guest asks the staff for a voucher, at a kiosk or on the public page of a site. Also the store.

import type { Actor } from '../../kernel/audit/actor.ts';
import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { GuestRequestId, ScreenId, SiteId, UserId, VoucherId } from '../../kernel/ids.ts';
import type { User } from '../../kernel/users/user.ts';
import type { AcceptedTerms } from '../../kernel/vouchers/order-purpose.ts';
import type { Token } from '../../platform/secrets/token.ts';
import type { Language } from '../../platform/text/language.ts';
import type { OrUnknown } from '../../platform/values/unknown-value.ts';

export const REQUEST_PATH = '/request';
export const MAX_GUEST_NAME_LENGTH = 100;
export const MAX_HOST_LENGTH = 100;
export const MAX_REQUEST_NOTE_LENGTH = 500;
export const MAX_REASON_LENGTH = 200;
/** A request that nobody decides expires after this time. */
export const REQUEST_MS = 4 * 60 * 60_000;
/** Decided and expired requests are deleted with their data after this time. */
export const REQUEST_KEPT_MS = 24 * 60 * 60_000;
/** At most this many requests wait at a site, so that a flood does not hide the requests of real guests. */
export const MAX_WAITING = 100;
/**
 * Of these, one network sends at most this many, so that it does not close the page for all others. It is more than a
 * desk decides in some minutes, because the guests of a house often share one IP address.
 */
export const MAX_WAITING_OF_NETWORK = 20;
/** Requests from the kiosks of a site have places of their own, which a flood on the public page does not take. */
export const MAX_WAITING_AT_KIOSKS = 50;
/** At most this many mails about new requests are sent for one site in an hour. */
export const MAX_REQUEST_MAILS = 10;

/** `approving`: an order for the voucher is open. */
export const REQUEST_STATES = ['waiting', 'approving', 'approved', 'declined', 'expired'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

export interface NewGuestRequest {
  siteId: SiteId;
  /** Null if the guest asked on the public page. */
  screenId: ScreenId | null;
  name: string;
  /** The host or the room; empty if the guest named none. */
  host: string;
  note: string;
  language: Language;
  terms?: AcceptedTerms;
}

export interface GuestRequest extends NewGuestRequest {
  id: GuestRequestId;
  siteName: string;
  state: OrUnknown<RequestState>;
  reason: string | null;
  voucherId: VoucherId | null;
  /** While the state is `approving`, who has ordered the voucher. */
  decidedBy: Actor | null;
  createdAtMs: number;
  expiresAtMs: number;
  decidedAtMs: number | null;
  /** While it waits: how many requests from its network wait at the site, itself included. 0 at a kiosk. */
  waitingOfNetwork: number;
}

/** The public page of a site. */
export interface RequestPage {
  siteId: SiteId;
  /** Undefined if it cannot be opened. */
  token: string | undefined;
  /** The address that gets a mail for each request; null for none. */
  mailTo: string | null;
}

/** What the menu of a user shows. */
export interface RequestBadge {
  /** True if guests can ask at one of the user's sites, or have asked there. */
  isOffered: boolean;
  waiting: number;
}

export interface GuestRequestStore {
  /** Undefined if the site has no public page. */
  findPage(siteId: SiteId): Promise<RequestPage | undefined>;
  findSiteByToken(tokenHash: string): Promise<SiteId | undefined>;
  /** The token hashes of all public pages. */
  listPageHashes(): Promise<Set<string>>;
  /** Changes nothing if the site has a public page whose token can be opened. */
  openPage(siteId: SiteId, token: Token, audit: AuditContext): Promise<void>;
  changePage(
    siteId: SiteId,
    change: { token?: Token; mailTo?: string | null },
    audit: AuditContext,
  ): Promise<boolean>;
  closePage(siteId: SiteId, audit: AuditContext): Promise<boolean>;
  /**
   * Undefined if too many requests wait at the site or of this network. Stores the notifications, too. If there is a
   * request with this token at the site, the form was sent twice, and nothing is stored.
   */
  add(request: NewGuestRequest, origin: RequestOrigin): Promise<AddedRequest | undefined>;
  find(id: GuestRequestId): Promise<GuestRequest | undefined>;
  findByToken(tokenHash: string): Promise<GuestRequest | undefined>;
  /** First the waiting requests, oldest first, then some of the others, newest first. */
  list(siteIds: SiteId[]): Promise<GuestRequest[]>;
  /** Counts only active sites: all of them for an administrator, otherwise those of the user. */
  readBadge(user: { id: UserId; role: User['role'] }): Promise<RequestBadge>;
  /** False if the request is no longer waiting. */
  decline(id: GuestRequestId, reason: string | null, audit: AuditContext): Promise<boolean>;
  /** Declines all requests that wait at the site of this request and came from its network. Returns how many. */
  declineNetwork(id: GuestRequestId, reason: string | null, audit: AuditContext): Promise<number>;
  /** Lets old requests expire. Deletes those whose time is over, both by the store's clock and by the trusted time. */
  expire(trustedMs: number): Promise<void>;
}

export interface RequestOrigin {
  tokenHash: string;
  /** The IPv4 address or IPv6 /48 of a guest on the public page. Stored as a hash until the request is decided. */
  network?: string;
}

export interface AddedRequest {
  id: GuestRequestId;
  isNew: boolean;
}
