// Writes an audit entry as earlier releases did: with a text and without details.

import type { Actor } from '../../src/kernel/audit/actor.ts';
import { toActorText } from '../../src/kernel/audit/actor.ts';
import type { Handle } from '../../src/platform/database/database.ts';

interface EarlierEntry {
  actor: Actor;
  atMs: number;
  action: string;
  subject: string;
  ip?: string;
}

export async function insertEarlierEntry(handle: Handle, entry: EarlierEntry): Promise<void> {
  const { actor, atMs, action, subject, ip = null } = entry;
  const who = { actor: toActorText(actor), actor_id: actor.id };
  await handle
    .insertInto('audit')
    .values({ at_ms: atMs, ...who, action, subject, address: ip })
    .execute();
}
