// Entries of the audit log as CSV.

import type { AuditEntry } from '../../domain/audit-log.ts';
import { toCsv } from '../csv.ts';

export function toAuditCsv(entries: AuditEntry[]): string {
  const rows = entries.map(({ atMs, actor, action, subject }) => [
    new Date(atMs).toISOString(),
    actor,
    action,
    subject,
  ]);
  return toCsv([['time', 'actor', 'action', 'subject'], ...rows]);
}
