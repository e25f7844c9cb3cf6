// A screen: a device at a site that hands out vouchers without a user. A kiosk serves guests who tap; a rolling code
// always shows one unused voucher. Also the store.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { PrinterId, ProfileId, ScreenId, SiteId, TermsId, VoucherId } from '../../kernel/ids.ts';
import type { Token } from '../../platform/secrets/token.ts';
import type { Language } from '../../platform/text/language.ts';
import type { OrUnknown } from '../../platform/values/unknown-value.ts';

export const SCREEN_KINDS = ['kiosk', 'rolling'] as const;
export type ScreenKind = (typeof SCREEN_KINDS)[number];

/** What a guest can do at a kiosk: take a voucher, ask the staff for one, or both. */
export const SCREEN_OFFERS = ['vouchers', 'requests', 'both'] as const;
export type ScreenOffers = (typeof SCREEN_OFFERS)[number];

/** What a kiosk can ask guests for. */
export const ASKED_FIELDS = ['name', 'email', 'room'] as const;
export type AskedField = (typeof ASKED_FIELDS)[number];

export const SCREEN_PATH = '/screen';
export const ROLLING_PATH = '/rolling';
export const SCREEN_COOKIE = 'gastpass_screen';
export const MAX_SCREEN_NAME_LENGTH = 60;
export const MAX_TERMS_LENGTH = 20_000;
export const DEFAULT_PER_MINUTE = 10;
export const MAX_PER_MINUTE = 100;
export const DEFAULT_PER_DAY = 200;
export const MAX_PER_DAY = 10_000;
/** A rolling code that nobody has fetched for this long gets no new voucher. */
export const DEFAULT_IDLE_MINUTES = 15;
export const MAX_IDLE_MINUTES = 24 * 60;
/** More buttons do not fit on a screen. */
export const MAX_SCREEN_PROFILES = 20;
export const PAIRING_MS = 10 * 60_000;
export const SEEN_EVERY_MS = 60_000;
/** A rolling code is replaced after this time, also if nobody uses it. */
export const SHOWN_MS = 24 * 60 * 60_000;
/** A code that is taken off the screen still works for this long: a guest may be typing it. */
export const OFF_SCREEN_MS = 30 * 60_000;
/** How long the result page of a kiosk stays. */
export const RESULT_MS = 60_000;

/** The settings that an administrator can change later. */
export interface ScreenSettings {
  name: string;
  offers: OrUnknown<ScreenOffers>;
  /** Empty for one voucher with the default limits. Profiles may have been removed since. */
  profileIds: ProfileId[];
  /** Fields of a newer release are left out. */
  asks: AskedField[];
  printerId: PrinterId | null;
  perMinute: number;
  perDay: number;
  idleMinutes: number;
}

/** A screen of which only the name is known. */
export const DEFAULT_SCREEN = {
  name: '',
  offers: 'vouchers',
  profileIds: [],
  asks: [],
  printerId: null,
  perMinute: DEFAULT_PER_MINUTE,
  perDay: DEFAULT_PER_DAY,
  idleMinutes: DEFAULT_IDLE_MINUTES,
} satisfies ScreenSettings;

export interface NewScreen extends ScreenSettings {
  siteId: SiteId;
  kind: ScreenKind;
  offers: ScreenOffers;
  /** The text of the terms that guests must accept; null without terms. */
  terms: string | null;
}

export interface AddedScreen {
  id: ScreenId;
  /** Until when the pairing code can be used. */
  pairingUntilMs: number;
}

export interface Screen extends ScreenSettings {
  id: ScreenId;
  siteId: SiteId;
  siteName: string;
  kind: OrUnknown<ScreenKind>;
  termsId: TermsId | null;
  /** Until when the pairing code can be used; null if there is none. */
  pairingUntilMs: number | null;
  /** Null while no device is paired. */
  pairedAtMs: number | null;
  /** The last request of the device, with its address and browser. */
  seenAtMs: number | null;
  seenIp: string | null;
  seenAgent: string | null;
  /** The last look at the rolling code, on the page or by its path. */
  lookedAtMs: number | null;
  /** The voucher that a rolling code shows, and since when. */
  voucherId: VoucherId | null;
  shownAtMs: number | null;
}

/** The terms that guests must accept. Every change makes a new version; vouchers keep the one that was accepted. */
export interface Terms {
  id: TermsId;
  version: number;
  text: string;
  /** The SHA-256 of the text, in hexadecimal. */
  hash: string;
  createdAtMs: number;
}

/** What the result page of a kiosk shows. */
export interface ScreenResult {
  voucherId: VoucherId;
  language: Language;
}

/** A request of a paired device. */
export interface Sighting {
  ip: string;
  agent: string;
}

export interface ScreenStore {
  /** In the order of the names of sites and screens. Without `siteIds`, those of all sites. */
  list(siteIds?: SiteId[]): Promise<Screen[]>;
  find(id: ScreenId): Promise<Screen | undefined>;
  findByCookie(cookieHash: string): Promise<Screen | undefined>;
  findByToken(tokenHash: string): Promise<Screen | undefined>;
  /** The token of the path of a rolling code. Undefined if it has none, or if it cannot be opened. */
  findToken(id: ScreenId): Promise<string | undefined>;
  /** The hashes of the pairing codes that can be used now. */
  listPairingHashes(): Promise<Set<string>>;
  /** `token` is for a rolling code only. Stores the pairing code's hash with its end. */
  add(screen: NewScreen, secrets: NewSecrets, audit: AuditContext): Promise<AddedScreen>;
  /**
   * The pairing of the device that is paired now ends only if the new code is used. Returns until when the code can be
   * used; undefined if there is no such screen.
   */
  renewPairing(id: ScreenId, pairingHash: string, audit: AuditContext): Promise<number | undefined>;
  /** False if there is no such rolling code. */
  renewToken(id: ScreenId, token: Token, audit: AuditContext): Promise<boolean>;
  /** Ends the pairing: the cookie and the pairing code are worthless from now on. False if there was none to end. */
  unpair(id: ScreenId, audit: AuditContext): Promise<boolean>;
  /**
   * Uses a pairing code: it is gone afterwards, and the device with `cookieHash` is the only one of the screen.
   * Undefined if no screen has this code, or its time is over.
   */
  pair(
    pairingHash: string,
    cookieHash: string,
    seen: Sighting & { atMs: number },
  ): Promise<Screen | undefined>;
  update(id: ScreenId, settings: Partial<ScreenSettings>, audit: AuditContext): Promise<boolean>;
  /** With null, guests need not accept terms any more. Equal texts make no new version. */
  setTerms(id: ScreenId, text: string | null, audit: AuditContext): Promise<boolean>;
  findTerms(id: TermsId): Promise<Terms | undefined>;
  /** The terms that the guest has accepted for this voucher, and when. */
  findAcceptedTerms(id: VoucherId): Promise<{ terms: Terms; acceptedAtS: number } | undefined>;
  /** How many vouchers these screens have handed out in the last 24 hours. */
  countVouchers(ids: ScreenId[]): Promise<Map<ScreenId, number>>;
  /** All versions of a screen, newest first. */
  listTerms(id: ScreenId): Promise<Terms[]>;
  /** Its stock leaves, and its current rolling code is taken off. False if there is no such screen. */
  remove(id: ScreenId, audit: AuditContext): Promise<boolean>;
  /** Stores the time, too. At most once a minute, because a device may send a request every second. */
  noteSeen(id: ScreenId, seen: Sighting): Promise<void>;
  /** The result can be opened for RESULT_MS. */
  addResult(result: ScreenResult & { screenId: ScreenId; tokenHash: string }): Promise<void>;
  /** Returns the result once: the second call for the same token gets undefined. */
  takeResult(screenId: ScreenId, tokenHash: string): Promise<ScreenResult | undefined>;
  forgetOldResults(): Promise<void>;
}

export interface NewSecrets {
  pairingHash: string;
  token: Token | null;
}
