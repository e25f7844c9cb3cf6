// Writes audit log entries as CSV. Each row has the stored values and the sentence in the user's language.

import { toCsv } from '../../../platform/pages/csv.ts';
import { toActorText } from '../actor.ts';
import type { FoundEntry } from '../audit-log.ts';

export function toAuditCsv(entries: FoundEntry[], say: (entry: FoundEntry) => string): string {
  const rows = entries.map((entry) => {
    const { atMs, actor, action, subject, ip = '' } = entry;
    return [new Date(atMs).toISOString(), toActorText(actor), action, subject, ip, say(entry)];
  });
  return toCsv([['time', 'actor', 'action', 'subject', 'address', 'sentence'], ...rows]);
}
