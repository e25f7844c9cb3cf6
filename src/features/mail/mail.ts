// A mail: a message of the channel `mail`. Also defines the store for mails.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { MessageId, SiteId, VoucherId } from '../../kernel/ids.ts';
import { countsAttempts } from '../../kernel/messages/attempt-counter.ts';
import type { Attempt, ChannelRules, NewMessage } from '../../kernel/messages/message.ts';
import type { Language } from '../../platform/text/language.ts';
import type { OrUnknown } from '../../platform/values/unknown-value.ts';
import { ACCOUNT_MAIL_KINDS } from './account-mail.ts';

/** `voucher`: the voucher for its guest. The others are for users. */
export const MAIL_KINDS = ['voucher', ...ACCOUNT_MAIL_KINDS] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export const MAIL_CHANNEL: ChannelRules = { name: 'mail', kinds: MAIL_KINDS, keepsSequence: false };

export const MAIL_TRIES = countsAttempts(
  160,
  'gastpass_mail_tries_total',
  'Attempts to send an e-mail, by outcome',
);

/** A mail to a guest waits in one of the lanes 1 to 3. A lane sends one mail at a time. */
export const MAIL_LANES = 3;
/** The lane of mails to users, so that a password link never waits behind the mails to guests. */
export const ACCOUNT_LANE = MAIL_LANES + 1;

/** `cancelled`: the voucher ended before its mail was sent. */
export type MailState = 'held' | 'waiting' | 'sent' | 'failed' | 'cancelled';

declare module '../../kernel/vouchers/voucher-order.ts' {
  interface VoucherOrder {
    /** The mail that each voucher is sent with. */
    mail?: OrderedMail;
  }
}

/** The mail that a voucher is sent with. */
export interface OrderedMail {
  address: string;
  /** Absent for the first language of the site. */
  language?: Language;
}

/** What a mail's message stores unsealed. */
export interface MailFacts {
  /** The domain of the sender's address when the mail was ordered, for the Message-ID. */
  domain: string;
  language?: Language;
  /** When the link of the mail ends, if it has one. */
  expiresAtMs?: number;
}

/** What a mail's message stores sealed. */
export interface SealedMailFacts {
  address: string;
}

/**
 * The Message-ID with its angle brackets. It stays the same whenever the mail is repeated, even if the sender's address
 * changes in the meantime.
 */
export function toMailMessageId(eventId: string, { domain }: Pick<MailFacts, 'domain'>): string {
  return `<${eventId}@${domain}>`;
}

/** One row of the log. */
export interface LoggedMail {
  id: MessageId;
  kind: OrUnknown<MailKind>;
  voucherId: VoucherId | null;
  siteId: SiteId | null;
  state: OrUnknown<MailState>;
  /** Number of attempts that counted. */
  attempts: number;
  lastError: string | null;
  messageId: string;
  /** Only masked: see `maskMailAddress`. */
  maskedAddress: string;
  /** Null for the first language of the site. */
  language: Language | null;
  createdAtMs: number;
  sentAtMs: number | null;
  /** Null if the mail is finished, or if it waits for the server or for its voucher. */
  nextAttemptAtMs: number | null;
  /** True if the mail failed and no user has confirmed that yet. */
  isUnread: boolean;
}

export interface MailSearch {
  limit: number;
  /** The sites that the caller may see; absent for all, including mails without a site. */
  siteIds?: SiteId[];
  voucherId?: VoucherId;
  id?: MessageId;
  states?: MailState[];
  isUnread?: true;
  /** Only mails older than this one. */
  beforeId?: MessageId;
}

export interface MailStore {
  /** Queues the mail of a voucher that exists. */
  add(mail: NewMessage & { voucherId: VoucherId }, audit: AuditContext): Promise<MessageId>;
  /** Newest first. */
  search(search: MailSearch): Promise<LoggedMail[]>;
  /** The newest mail of each of these vouchers. */
  newestOf(voucherIds: VoucherId[]): Promise<Map<VoucherId, LoggedMail>>;
  /** Oldest first, but only the last ones. */
  listAttempts(id: MessageId): Promise<(Attempt & { atMs: number })[]>;
  /** The full address, to send the mail again. Undefined if it cannot be opened. */
  findAddress(id: MessageId): Promise<string | undefined>;
  /**
   * Puts a failed mail of a voucher back into the queue, or makes a waiting one due at once. Also ends the pause
   * of the server. False in any other state.
   */
  retry(id: MessageId, audit: AuditContext): Promise<boolean>;
  markRead(ids: MessageId[], atMs: number): Promise<void>;
  countUnread(siteIds: SiteId[]): Promise<number>;
  /** Takes one of the mails of this hour. Returns 0, or the time until the next mail may be sent. */
  takeSlot(perHour: number): Promise<number>;
  /** The server's failures in a row, and the end of its pause. */
  readServerState(): Promise<{ failures: number; dueAtMs: number; lastError: string | null }>;
  /** Ends the pause of the server, because it was set up anew or has answered. */
  endPause(): Promise<void>;
}
