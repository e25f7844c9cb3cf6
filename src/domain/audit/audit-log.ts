// The audit log as it is written and found again: who did what to which thing, when, and from where.

export interface AuditContext {
  actor: string;
  atMs: number;
  /** Of the network; none on the machine itself. */
  address?: string;
}

export interface AuditEntry extends AuditContext {
  action: string;
  subject: string;
}

export interface FoundEntry extends AuditEntry {
  /** Grows with every entry. */
  id: number;
}

export interface AuditSearch {
  /** Part of what it was done to, of what was done, or of the address. */
  text?: string;
  /** Part of who did it. */
  actor?: string;
  /** Exactly this. */
  action?: string;
  /** Only what is older than this entry. */
  beforeId?: number;
  limit: number;
  /** How many entries are looked at, whether they fit or not. */
  lookBack?: number;
}

export interface AuditPage {
  /** The newest first. */
  entries: FoundEntry[];
  /** Where to go on with what is older; null when all was looked at. */
  nextBeforeId: number | null;
}

export type SearchAudit = (search: AuditSearch) => Promise<AuditPage>;
