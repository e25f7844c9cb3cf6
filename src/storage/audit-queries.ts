// The audit log: who did what to which thing, written in the transaction of the deed itself.

import type { Handle } from './database.ts';

export interface AuditEntry {
  atMs: number;
  actor: string;
  action: string;
  subject: string;
}

export async function insertAuditEntry(handle: Handle, entry: AuditEntry): Promise<void> {
  const { atMs, actor, action, subject } = entry;
  await handle.insertInto('audit').values({ at_ms: atMs, actor, action, subject }).execute();
}
