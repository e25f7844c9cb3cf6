// Writes audit log entries as CSV.

import { toActorText } from '../../../domain/audit/actor.ts';
import type { AuditEntry } from '../../../domain/audit/audit-log.ts';
import { toCsv } from '../../http/csv.ts';

export function toAuditCsv(entries: AuditEntry[]): string {
  const rows = entries.map(({ atMs, actor, action, subject, ip = '' }) => [
    new Date(atMs).toISOString(),
    toActorText(actor),
    action,
    subject,
    ip,
  ]);
  return toCsv([['time', 'actor', 'action', 'subject', 'address'], ...rows]);
}
