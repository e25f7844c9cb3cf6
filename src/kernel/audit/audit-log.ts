// Audit entries, which record who did what to which objects, when and from where, and the search for entries.

import type { SiteId } from '../ids.ts';
import type { Actor } from './actor.ts';
import type { AuditAction, AuditDetails, DetailsOf } from './audit-details.ts';

export interface AuditContext {
  actor: Actor;
  atMs: number;
  /** The client's IP address; absent for the command line and for background work. */
  ip?: string;
}

export interface AuditEntry<Action extends AuditAction = AuditAction> extends AuditContext {
  action: Action;
  details: DetailsOf[Action];
}

export interface FoundEntry extends AuditContext {
  /** Increases with every entry. */
  id: number;
  /** A newer release may have written actions that this release does not know. */
  action: string;
  /** The details as one text, for searches and the CSV file. Entries of early releases have only this text. */
  subject: string;
  /** Undefined if this release does not understand the entry. */
  details: AuditDetails | undefined;
}

export interface AuditSearch {
  /** Only entries whose subject, action, actor or IP address contains this text. */
  text?: string;
  /**
   * An entry also matches `text` if it has one of these actions, or if its subject begins with one of `textSubjects`.
   */
  textActions?: string[];
  textSubjects?: string[];
  /**
   * Only entries with exactly this action, such as `voucher.created`. If the text ends with a dot, as in `voucher.`,
   * all entries whose action begins with it.
   */
  action?: string;
  /** Only entries about what this user or API key did, or about what was done to it. */
  by?: { kind: 'user' | 'key'; id: string; name: string; email?: string };
  /** Only entries about this site. */
  siteId?: SiteId;
  /** Only entries from this moment on. */
  fromMs?: number;
  /** Only entries before this moment. */
  untilMs?: number;
  /** Only entries older than this entry. */
  beforeId?: number;
  limit: number;
  /** The maximum number of entries to examine, including entries that do not match. */
  lookBack?: number;
}

export interface AuditChunk {
  /** Newest first. */
  entries: FoundEntry[];
  /** The `beforeId` of the next page, which has older entries; null if all entries were examined. */
  nextBeforeId: number | null;
}

/** Writes an audit entry for an action that changes no data, such as an export. */
export type NoteAudit = <Action extends AuditAction>(entry: AuditEntry<Action>) => Promise<void>;

export type SearchAudit = (search: AuditSearch) => Promise<AuditChunk>;

/** Finds the vouchers and batches that audit entries name, as far as they still exist. */
export interface AuditedVouchers {
  /** Maps the id of each voucher to its code. */
  codesOf(voucherIds: number[]): Promise<Map<string, string>>;
  existingBatches(batchIds: string[]): Promise<Set<string>>;
  /** The beginnings of the subjects of entries about the vouchers with this code, and about their batches. */
  subjectsOf(code: string): Promise<string[]>;
}
