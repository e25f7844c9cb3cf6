// Queries for sessions of the web interface and for failed logins.

import { type Expression, type InferResult, type RawBuilder, sql } from 'kysely';
import { compileOnce, type Placeholders } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';
import { asUserId, type UserId } from '../ids.ts';
import { FAILURES_FORGOTTEN_AFTER_MS, type Failures, throttledAccount } from '../users/login-throttle.ts';
import type { User } from '../users/user.ts';
import { toUser } from '../users/user-queries.ts';
import { ABSOLUTE_MS, IDLE_MS, STAY_MS, type WebSession } from './web-session.ts';

export async function insertWebSession(handle: Handle, session: WebSession): Promise<void> {
  const { tokenHash, userId, createdAtMs, seenAtMs, ip, agent, authenticatedAtMs, stays } = session;
  await handle
    .insertInto('web_sessions')
    .values({
      token_hash: tokenHash,
      user_id: userId,
      created_at_ms: createdAtMs,
      seen_at_ms: seenAtMs,
      address: ip,
      agent,
      authenticated_at_ms: authenticatedAtMs,
      stays: stays ? 1 : 0,
    })
    .execute();
}

const withCheck = (handle: Handle) =>
  handle
    .selectFrom('web_sessions')
    .leftJoin('external_sessions', 'external_sessions.token_hash', 'web_sessions.token_hash')
    .selectAll('web_sessions')
    .select(['external_sessions.token_hash as external_hash', 'sealed_id_token'])
    .select(['checked_at_ms', 'next_check_at_ms']);

const byToken = compileOnce((handle: Handle, { tokenHash }: Placeholders<{ tokenHash: string }>) =>
  withCheck(handle)
    .innerJoin('users', 'users.id', 'web_sessions.user_id')
    .select(['users.id', 'email', 'name', 'role', 'password_hash', 'active'])
    .select('users.created_at_ms as user_created_at_ms')
    .where('web_sessions.token_hash', '=', tokenHash)
    .where('active', '=', 1),
);

export async function selectWebSession(
  handle: Handle,
  tokenHash: string,
): Promise<{ session: WebSession; user: User } | undefined> {
  const [row] = (await byToken(handle, { tokenHash })).rows;
  return row && { session: toSession(row), user: toUser({ ...row, created_at_ms: row.user_created_at_ms }) };
}

export async function selectWebSessions(handle: Handle, userId: UserId): Promise<WebSession[]> {
  const rows = await withCheck(handle).where('user_id', '=', userId).orderBy('seen_at_ms', 'desc').execute();
  return rows.map(toSession);
}

export async function updateSeen(
  handle: Handle,
  tokenHash: string,
  { atMs, ip }: { atMs: number; ip: string },
): Promise<void> {
  await handle
    .updateTable('web_sessions')
    .set({ seen_at_ms: atMs, address: ip })
    .where('token_hash', '=', tokenHash)
    .execute();
}

export async function updateAuthenticated(handle: Handle, tokenHash: string, atMs: number): Promise<void> {
  await handle
    .updateTable('web_sessions')
    .set({ authenticated_at_ms: atMs })
    .where('token_hash', '=', tokenHash)
    .execute();
}

export async function deleteWebSession(handle: Handle, userId: UserId, tokenHash: string): Promise<boolean> {
  const result = await handle
    .deleteFrom('web_sessions')
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Replaces a session's token hash and deletes rows that refer to the old one. Returns false if there is no session. */
export async function moveWebSession(handle: Handle, fromHash: string, toHash: string): Promise<boolean> {
  const row = await handle
    .deleteFrom('web_sessions')
    .where('token_hash', '=', fromHash)
    .returningAll()
    .executeTakeFirst();
  if (row)
    await handle
      .insertInto('web_sessions')
      .values({ ...row, token_hash: toHash })
      .execute();
  return row !== undefined;
}

export async function deleteOtherWebSessions(
  handle: Handle,
  userId: UserId,
  exceptTokenHash = '',
): Promise<boolean> {
  const result = await handle
    .deleteFrom('web_sessions')
    .where('user_id', '=', userId)
    .where('token_hash', '!=', exceptTokenHash)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/**
 * Deletes sessions by the same rule as in `isOver`. Sessions with a time in the future stay: the clock may be behind,
 * and when it is corrected they are valid again.
 */
export async function deleteOldWebSessions(handle: Handle, nowMs: number): Promise<void> {
  await handle
    .deleteFrom('web_sessions')
    .where((eb) =>
      eb.or([
        eb('seen_at_ms', '<', nowMs - STAY_MS),
        eb.and([
          eb('stays', '=', 0),
          eb.or([eb('created_at_ms', '<', nowMs - ABSOLUTE_MS), eb('seen_at_ms', '<', nowMs - IDLE_MS)]),
        ]),
      ]),
    )
    .execute();
}

export async function selectFailures(handle: Handle, subject: string): Promise<Failures | undefined> {
  const row = await handle
    .selectFrom('sign_in_failures')
    .selectAll()
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row && { count: row.count, lastAtMs: row.last_at_ms };
}

/**
 * Counts one more failure and returns the number of failures.
 * @param failure.isFixedHour keeps the time of the first failure, so that the hour ends even if failures go on
 */
export async function raiseFailures(
  handle: Handle,
  subject: string,
  { atMs, isFixedHour }: { atMs: number; isFixedHour: boolean },
): Promise<number> {
  const { count } = await handle
    .insertInto('sign_in_failures')
    .values({ subject, count: 1, last_at_ms: atMs })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet((eb) => ({
        count: restarted(atMs, { first: sql`1`, next: eb('sign_in_failures.count', '+', 1) }),
        last_at_ms: isFixedHour
          ? restarted(atMs, { first: eb.val(atMs), next: eb.ref('sign_in_failures.last_at_ms') })
          : atMs,
      })),
    )
    .returning('count')
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts one more failure. If the number of failures is no longer `seen`, changes nothing and returns false. */
export async function raiseSeenFailures(
  handle: Handle,
  subject: string,
  { seen, atMs }: { seen: number; atMs: number },
): Promise<boolean> {
  const first = handle
    .insertInto('sign_in_failures')
    .values({ subject, count: 1, last_at_ms: atMs })
    .onConflict((conflict) => conflict.column('subject').doNothing())
    .returning('subject');
  const further = handle
    .updateTable('sign_in_failures')
    .set({ count: restarted(atMs, { first: sql`1`, next: sql<number>`${seen + 1}` }), last_at_ms: atMs })
    .where('subject', '=', subject)
    .where('count', '=', seen)
    .returning('subject');
  return (await (seen === 0 ? first : further).executeTakeFirst()) !== undefined;
}

export async function deleteFailures(handle: Handle, subject: string): Promise<void> {
  await handle.deleteFrom('sign_in_failures').where('subject', '=', subject).execute();
}

/** Gives `first` if the last failure is so long ago that it is forgotten (as in `isForgotten`), otherwise `next`. */
function restarted(
  atMs: number,
  { first, next }: Record<'first' | 'next', Expression<number>>,
): RawBuilder<number> {
  return sql<number>`case when abs(sign_in_failures.last_at_ms - ${atMs}) >= ${FAILURES_FORGOTTEN_AFTER_MS} then ${first} else ${next} end`;
}

/** Deletes all failures of an account, also those that are counted for each network, IPv6 prefix (/48) and device. */
export async function deleteFailuresOfAccount(handle: Handle, email: string): Promise<void> {
  const account = throttledAccount(email);
  const prefixes = [
    `account-network ${account} `,
    `account-prefix ${account} `,
    `device ${account} `,
    `device-code ${email} `,
  ];
  await handle
    .deleteFrom('sign_in_failures')
    .where((eb) =>
      eb.or([
        eb('subject', 'in', [`account ${email}`, `account-total ${account}`]),
        // Each prefix ends with a space, so that a longer account name that begins the same does not match.
        // `substr` counts code points, as `[...prefix]` does.
        ...prefixes.map((prefix) =>
          eb(eb.fn('substr', ['subject', eb.val(1), eb.val([...prefix].length)]), '=', prefix),
        ),
      ]),
    )
    .execute();
}

export async function deleteOldFailures(handle: Handle, beforeMs: number): Promise<void> {
  await handle.deleteFrom('sign_in_failures').where('last_at_ms', '<', beforeMs).execute();
}

function toSession(row: InferResult<ReturnType<typeof withCheck>>[number]): WebSession {
  const external = row.sealed_id_token === null ? 'proxy' : 'provider';
  const { checked_at_ms: lastAtMs, next_check_at_ms: nextAtMs } = row;
  return {
    tokenHash: row.token_hash,
    userId: asUserId(row.user_id),
    createdAtMs: row.created_at_ms,
    seenAtMs: row.seen_at_ms,
    ip: row.address,
    agent: row.agent,
    authenticatedAtMs: row.authenticated_at_ms,
    stays: row.stays === 1,
    external: row.external_hash === null ? null : external,
    ...(lastAtMs !== null && nextAtMs !== null && { check: { lastAtMs, nextAtMs } }),
  };
}
