// Audit entries record who did what to which objects, when and from where. Also defines the search for entries.

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
  /** The text of the details. */
  subject: string;
  /** Undefined if this release does not understand the entry. */
  details: AuditDetails | undefined;
}

export interface AuditSearch {
  /** Part of the subject, of the action, of the actor or of the IP address. */
  text?: string;
  /** Entries with one of these actions, or whose subject begins with one of these texts, match `text` as well. */
  textActions?: string[];
  textSubjects?: string[];
  /** The exact action, or with a dot at the end all actions of a noun: `voucher.`. */
  action?: string;
  /** What this user or API key did, and what was done to the user. */
  by?: { kind: 'user' | 'key'; id: string; name: string; email?: string };
  /** What concerns this site. */
  siteId?: SiteId;
  /** Only entries from this moment on. */
  fromMs?: number;
  /** Only entries before this moment. */
  untilMs?: number;
  /** Only entries older than this entry. */
  beforeId?: number;
  limit: number;
  /** The number of entries to examine, whether they match or not. */
  lookBack?: number;
}

export interface AuditChunk {
  /** Newest first. */
  entries: FoundEntry[];
  /** Where to continue with older entries; null if all entries were examined. */
  nextBeforeId: number | null;
}

/** Writes an entry for something that changes nothing, such as an export. */
export type NoteAudit = <Action extends AuditAction>(entry: AuditEntry<Action>) => Promise<void>;

export type SearchAudit = (search: AuditSearch) => Promise<AuditChunk>;

/** Finds the vouchers and batches that audit entries name, as far as they still exist. */
export interface AuditedVouchers {
  /** The codes by the id of the voucher. */
  codesOf(voucherIds: number[]): Promise<Map<string, string>>;
  existingBatches(batchIds: string[]): Promise<Set<string>>;
  /** The beginnings of the subjects that name a voucher with this code. */
  subjectsOf(code: string): Promise<string[]>;
}
