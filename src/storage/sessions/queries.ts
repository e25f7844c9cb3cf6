// Queries for sessions of the web interface and for failed logins.

import { type Expression, type RawBuilder, sql } from 'kysely';
import { asUserId, type UserId } from '../../domain/ids.ts';
import { type Failures, FORGOTTEN_AFTER_MS } from '../../domain/sessions/login-throttle.ts';
import { ABSOLUTE_MS, IDLE_MS, STAY_MS, type WebSession } from '../../domain/sessions/web-session.ts';
import type { User } from '../../domain/users/user.ts';
import type { Handle } from '../database.ts';
import { toUser } from '../users/queries.ts';

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

export async function selectWebSession(
  handle: Handle,
  tokenHash: string,
): Promise<{ session: WebSession; user: User } | undefined> {
  const row = await handle
    .selectFrom('web_sessions')
    .innerJoin('users', 'users.id', 'web_sessions.user_id')
    .leftJoin('external_sessions', 'external_sessions.token_hash', 'web_sessions.token_hash')
    .selectAll('users')
    .select([
      'web_sessions.token_hash',
      'external_sessions.token_hash as external_hash',
      'sealed_id_token',
      'user_id',
      'seen_at_ms',
      'address',
      'agent',
      'authenticated_at_ms',
      'stays',
      'web_sessions.created_at_ms as begun_at_ms',
    ])
    .where('web_sessions.token_hash', '=', tokenHash)
    .where('active', '=', 1)
    .executeTakeFirst();
  return row && { session: toSession({ ...row, created_at_ms: row.begun_at_ms }), user: toUser(row) };
}

export async function selectWebSessions(handle: Handle, userId: UserId): Promise<WebSession[]> {
  const rows = await handle
    .selectFrom('web_sessions')
    .leftJoin('external_sessions', 'external_sessions.token_hash', 'web_sessions.token_hash')
    .selectAll('web_sessions')
    .select(['external_sessions.token_hash as external_hash', 'sealed_id_token'])
    .where('user_id', '=', userId)
    .orderBy('seen_at_ms', 'desc')
    .execute();
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

/** The rule of `isOver`, as a query. */
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

export async function raiseFailures(handle: Handle, subject: string, atMs: number): Promise<void> {
  await handle
    .insertInto('sign_in_failures')
    .values({ subject, count: 1, last_at_ms: atMs })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet((eb) => ({
        count: restarted(atMs, eb('sign_in_failures.count', '+', 1)),
        last_at_ms: atMs,
      })),
    )
    .execute();
}

/** Counts one more failure. False if the number of failures is no longer `seen`. */
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
    .set({ count: restarted(atMs, sql<number>`${seen + 1}`), last_at_ms: atMs })
    .where('subject', '=', subject)
    .where('count', '=', seen)
    .returning('subject');
  return (await (seen === 0 ? first : further).executeTakeFirst()) !== undefined;
}

export async function deleteFailures(handle: Handle, subject: string): Promise<void> {
  await handle.deleteFrom('sign_in_failures').where('subject', '=', subject).execute();
}

/** Failures that are forgotten no longer count: the next failure is the first one again. */
function restarted(atMs: number, next: Expression<number>): RawBuilder<number> {
  return sql<number>`case when sign_in_failures.last_at_ms <= ${atMs - FORGOTTEN_AFTER_MS} then 1 else ${next} end`;
}

/** The failures of an account: its codes, its total, and one row for each network and each device. */
export async function deleteFailuresOfAccount(handle: Handle, email: string): Promise<void> {
  const prefixes = [`account-network ${email} `, `device ${email} `];
  await handle
    .deleteFrom('sign_in_failures')
    .where((eb) =>
      eb.or([
        eb('subject', 'in', [`account ${email}`, `account-total ${email}`]),
        // An e-mail address contains no space. SQL counts characters, not UTF-16 units.
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

function toSession(row: {
  token_hash: string;
  user_id: number;
  created_at_ms: number;
  seen_at_ms: number;
  address: string;
  agent: string;
  authenticated_at_ms: number;
  stays: number;
  external_hash: string | null;
  sealed_id_token: string | null;
}): WebSession {
  const external = row.sealed_id_token === null ? 'proxy' : 'provider';
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
  };
}
