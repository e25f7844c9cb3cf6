// One statement for PostgreSQL that looks up the key of an API request, counts the request in the key's rate window and
// reads the list version of a site. If several instances count at the same time, no request is missed or counted twice.

import { type RawBuilder, type Selectable, sql } from 'kysely';
import { compileOnce, type Placeholders } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/schema.ts';
import { DatabaseUnavailable } from '../../platform/values/database-unavailable.ts';
import type { KeyId, SiteId } from '../ids.ts';
import { CURRENT_VERSION } from '../sites/site-queries.ts';
import { toStoredKey } from './key-queries.ts';
import type { StoredKey } from './key-records.ts';
import { type CountedWindow, MAX_AHEAD_MS, WINDOW_MS } from './rate-window.ts';

export type Lookup = {
  id: KeyId;
  /** The hash of the request's key, in hexadecimal. A request is counted only if this is the stored hash. */
  hash: string;
  nowMs: number;
  /** The number of requests that share this look-up and are counted together. */
  requests: number;
  siteId: SiteId | null;
};

export interface LookedUp {
  key: StoredKey;
  /** Undefined if the key has no limit or is not valid. */
  window: CountedWindow | undefined;
  /** Undefined if `siteId` is null or the site does not exist. */
  listVersion: number | undefined;
}

interface Row extends Selectable<Tables['api_keys']> {
  started_at_ms: number | null;
  counted: number;
  refused: number;
  now_ms: number;
  list_version: number | null;
}

const lookUp = compileOnce(
  (_: Handle, { id, siteId }: Placeholders<Pick<Lookup, 'id' | 'siteId'>>) => sql<Row>`
    select api_keys.*, null as started_at_ms,
      (select ${CURRENT_VERSION} from sites where id = ${siteId}) as list_version
    from api_keys where id = ${id}`,
);

/** `now` is the time by the clock of the database. */
export function makeLookUpKey(now: RawBuilder<number>) {
  // The rule is the same as in `countInWindow`. A window that begins slightly in the future is not over: another
  // request may have opened it after this statement read the time and before it locked the row.
  const isOver = sql`(known.started_at_ms + ${WINDOW_MS} <= excluded.started_at_ms
    or known.started_at_ms > excluded.started_at_ms + ${MAX_AHEAD_MS})`;
  const requests = sql`(excluded.counted + excluded.refused)`;
  const limit = sql`(select rate_limit from found)`;
  const granted = sql`case when ${isOver} then excluded.counted
    else greatest(0, least(${requests}, ${limit} - known.counted)) end`;

  const lookUpAndCount = compileOnce(
    (_: Handle, input: Placeholders<Lookup>) => sql<Row>`
      with found as (select * from api_keys where id = ${input.id}),
      counted as (
        insert into rate_windows as known (api_key_id, started_at_ms, counted, refused)
        select id, ${now}, least(rate_limit, ${input.requests}), greatest(0, ${input.requests} - rate_limit)
        from found
        where rate_limit > 0 and key_hash = ${input.hash} and revoked_at_ms is null
          and (expires_at_ms is null or expires_at_ms > ${input.nowMs})
        on conflict (api_key_id) do update set
          started_at_ms = case when ${isOver} then excluded.started_at_ms else known.started_at_ms end,
          counted = case when ${isOver} then 0 else known.counted end + ${granted},
          refused = ${requests} - ${granted}
        returning started_at_ms, counted, refused, ${now} as now_ms
      )
      select found.*, counted.*,
        (select ${CURRENT_VERSION} from sites where id = ${input.siteId}) as list_version
      from found left join counted on true`,
  );

  /**
   * Returns undefined if there is no such key. Set `count` only for keys with a limit, because counting fails while the
   * database cannot be written to.
   */
  return async function lookUpKey(
    handle: Handle,
    { count, ...input }: Lookup & { count: boolean },
  ): Promise<LookedUp | undefined> {
    const { id, siteId } = input;
    const found = count
      ? // A request that cannot be counted is refused, whatever the reason.
        lookUpAndCount(handle, input).catch((error) => Promise.reject(new DatabaseUnavailable(error)))
      : lookUp(handle, { id, siteId });
    const [row] = (await found).rows;
    if (!row) return undefined;
    const { started_at_ms: startedAtMs, counted, refused, now_ms: nowMs } = row;
    return {
      key: toStoredKey(row),
      window: startedAtMs === null ? undefined : { startedAtMs, counted, refused, nowMs },
      listVersion: row.list_version ?? undefined,
    };
  };
}
