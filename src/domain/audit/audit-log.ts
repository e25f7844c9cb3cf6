// Audit entries record who did what to which subject, when and from where. Also defines the search for entries.

import type { Actor } from './actor.ts';

export interface AuditContext {
  actor: Actor;
  atMs: number;
  /** The client's IP address; absent for the command line and for background work. */
  ip?: string;
}

export interface AuditEntry extends AuditContext {
  action: string;
  subject: string;
}

export interface FoundEntry extends AuditEntry {
  /** Increases with every entry. */
  id: number;
}

export interface AuditSearch {
  /** Part of the subject, of the action or of the IP address. */
  text?: string;
  /** Part of the actor's text. */
  actor?: string;
  /** The exact action. */
  action?: string;
  /** Only entries older than this entry. */
  beforeId?: number;
  limit: number;
  /** The number of entries to examine, whether they match or not. */
  lookBack?: number;
}

export interface AuditPage {
  /** Newest first. */
  entries: FoundEntry[];
  /** Where to continue with older entries; null if all entries were examined. */
  nextBeforeId: number | null;
}

/** Writes an entry for something that changes nothing, such as an export. */
export type NoteAudit = (entry: AuditEntry) => Promise<void>;

export type SearchAudit = (search: AuditSearch) => Promise<AuditPage>;
