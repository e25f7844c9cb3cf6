// Learns from SQLite's authorizer what each statement writes, so that a commit invalidates only the caches that may
// depend on it. The code that writes need not declare anything.

import { constants, type DatabaseSync, type StatementSync } from 'node:sqlite';
import type { ListChange } from '../database.ts';

/**
 * No cached read depends on these tables; `tests/storage/kept-caches.test.ts` checks this. A write to any other table
 * invalidates all caches. The lists of vouchers depend on the list versions of their sites.
 */
export const UNCACHED_TABLES: ReadonlySet<string> = new Set([
  'audit',
  'batches',
  'bulk_revocation_vouchers',
  'bulk_revocations',
  'controller_sessions',
  'external_sessions',
  'guest_links',
  'guest_requests',
  'half_sign_ins',
  'idempotent_answers',
  'instances',
  'intents',
  'leases',
  'mail_slots',
  'message_attempts',
  'message_recipients',
  'messages',
  'outbox',
  'screen_results',
  'sent_forms',
  'shown_codes',
  'sign_in_failures',
  'site_syncs',
  'stock',
  'voucher_parts',
  'vouchers',
  'web_sessions',
  'webhooks',
]);

/** No cached read depends on these columns of other tables. */
export const UNCACHED_COLUMNS: ReadonlySet<string> = new Set([
  'api_keys.last_used_at_ms',
  'api_keys.last_used_ip',
  'printers.due_at_ms',
  'printers.paused_at_ms',
  'printers.failures',
  'printers.printed_at_ms',
  'printers.seen_at_ms',
  'printers.state',
  'printers.state_at_ms',
  'printers.state_words',
  'screens.looked_at_ms',
  'screens.seen_agent',
  'screens.seen_at_ms',
  'screens.seen_ip',
  'screens.shown_at_ms',
  'screens.voucher_id',
]);

/** A change of this column invalidates only the list of its site, if the change is noted (see list-changes.ts). */
const LIST_VERSION = 'sites.list_version';

/** What a statement writes that caches may depend on. */
type Effect = 'nothing' | 'list-version' | 'anything';

/** What a job has written that caches may depend on. */
export interface Written {
  anything: boolean;
  /** How many statements have written list versions. */
  listVersions: number;
  /** The changes that were noted for these statements. */
  listChanges: ListChange[];
}

export type WrittenData = ReturnType<typeof collectWrittenData>;

export function collectWrittenData() {
  let written = nothing();
  return {
    add(effect: Effect): void {
      if (effect === 'anything') written.anything = true;
      if (effect === 'list-version') written.listVersions++;
    },
    note(change: ListChange): void {
      written.listChanges.push(change);
    },
    /** Returns what was written since the last call. */
    take(): Written {
      const taken = written;
      written = nothing();
      return taken;
    },
  };
}

function nothing(): Written {
  return { anything: false, listVersions: 0, listChanges: [] };
}

/**
 * Returns a function that prepares a statement and returns it with its effect. `onNewSchema` is called if the effects
 * returned so far may have become wrong.
 */
export function watchStatements(
  raw: DatabaseSync,
  { written, onNewSchema }: { written: WrittenData; onNewSchema: () => void },
): (sql: string) => { statement: StatementSync; effect: Effect } {
  // Node 24 has the authorizer since 24.10. Without it, every statement may write anything.
  const isWatched = typeof raw.setAuthorizer === 'function';
  let preparing: { effect: Effect } | undefined;
  if (isWatched)
    raw.setAuthorizer((action, table, column) => {
      const effect = effectOf(action, table, column);
      if (effect === 'nothing') return constants.SQLITE_OK;
      if (preparing) preparing.effect = preparing.effect === 'anything' ? 'anything' : effect;
      else {
        // SQLite compiles a known statement again, because the schema has changed.
        written.add('anything');
        onNewSchema();
      }
      return constants.SQLITE_OK;
    });

  return function prepare(sql) {
    const prepared: { effect: Effect } = { effect: isWatched ? 'nothing' : 'anything' };
    preparing = prepared;
    try {
      return { statement: raw.prepare(sql), effect: prepared.effect };
    } finally {
      preparing = undefined;
    }
  };
}

/** An update names its column. An insert and a deletion concern all columns. */
function effectOf(action: number, table: string | null, column: string | null): Effect {
  const { SQLITE_INSERT, SQLITE_DELETE, SQLITE_UPDATE } = constants;
  if (action !== SQLITE_INSERT && action !== SQLITE_DELETE && action !== SQLITE_UPDATE) return 'nothing';
  const name = `${table}.${column}`;
  if (UNCACHED_TABLES.has(table ?? '') || UNCACHED_COLUMNS.has(name)) return 'nothing';
  return name === LIST_VERSION ? 'list-version' : 'anything';
}
