// Names for prepared statements. The server parses and plans a statement with a name once per connection instead of
// once per request.

import { createHash } from 'node:crypto';
import type { CompiledQuery } from 'kysely';

/**
 * The server keeps a statement in memory for each name. There are fewer reused queries, so this is only a safeguard.
 */
const MAX_NAMES = 100;

export function makeStatementNames() {
  const names = new Map<string, string>();
  let isStopped = false;
  return {
    /** Undefined unless the query is reused: the server would keep a statement for each new text. */
    nameOf(query: CompiledQuery): string | undefined {
      if (isStopped || !('isReused' in query)) return undefined;
      const known = names.get(query.sql);
      if (known || names.size === MAX_NAMES) return known;
      // A pooler may pass connections from one instance to another, so a name must stand for the same text everywhere.
      const name = `gastpass_${createHash('sha256').update(query.sql).digest('hex').slice(0, 32)}`;
      names.set(query.sql, name);
      return name;
    },
    /** From now on, no query has a name. */
    stop(): void {
      isStopped = true;
    },
  };
}
