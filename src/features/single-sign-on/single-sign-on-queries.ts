// Queries for single sign-on: the row with the settings, and identities.

import type { Selectable, Updateable } from 'kysely';
import type { UserId } from '../../kernel/ids.ts';
import type { User } from '../../kernel/users/user.ts';
import { toUser } from '../../kernel/users/user-queries.ts';
import type { Handle } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/schema.ts';
import type { Identity, NewIdentity } from './single-sign-on.ts';

export const ONLY_ROW = 1;

export type SingleSignOnRow = Selectable<Tables['single_sign_on']>;

export function selectSingleSignOn(handle: Handle): Promise<SingleSignOnRow | undefined> {
  return handle.selectFrom('single_sign_on').selectAll().where('id', '=', ONLY_ROW).executeTakeFirst();
}

export async function upsertSingleSignOn(
  handle: Handle,
  change: Updateable<Tables['single_sign_on']>,
): Promise<void> {
  await handle
    .insertInto('single_sign_on')
    .values({ ...change, id: ONLY_ROW })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...change, id: ONLY_ROW }))
    .execute();
}

type Key = Pick<NewIdentity, 'issuer' | 'subject'>;

/** The user of the identity, even if the user is deactivated. */
export async function selectUserOfIdentity(
  handle: Handle,
  { issuer, subject }: Key,
): Promise<User | undefined> {
  const row = await handle
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .selectAll('users')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row && toUser(row);
}

/** Also finds a deactivated user. */
export async function selectUserWithEmail(handle: Handle, email: string): Promise<User | undefined> {
  const row = await handle.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
  return row && toUser(row);
}

/** Without a user, the identity waits for an administrator. */
export async function upsertIdentity(
  handle: Handle,
  { issuer, subject, shownEmail, name }: NewIdentity,
  { userId, atMs }: { userId: UserId | null; atMs: number },
): Promise<void> {
  const seen = { user_id: userId, email: shownEmail, name, seen_at_ms: atMs };
  await handle
    .insertInto('identities')
    .values({ issuer, subject, ...seen })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet(seen))
    .execute();
}

/** Finds the identities of a user; if `userId` is null, those that wait for an administrator. */
export async function selectIdentities(handle: Handle, userId: UserId | null): Promise<Identity[]> {
  return handle
    .selectFrom('identities')
    .select(['id', 'issuer', 'subject', 'email', 'name', 'seen_at_ms as seenAtMs'])
    .where('user_id', userId === null ? 'is' : '=', userId)
    .orderBy('seen_at_ms', 'desc')
    .limit(100)
    .execute();
}

/** Returns the subject of the identity; undefined if no such identity waits for an administrator. */
export async function linkIdentity(handle: Handle, id: number, userId: UserId): Promise<string | undefined> {
  const row = await handle
    .updateTable('identities')
    .set({ user_id: userId })
    .where('id', '=', id)
    .where('user_id', 'is', null)
    .returning('subject')
    .executeTakeFirst();
  return row?.subject;
}

export async function deleteIdentitiesOf(handle: Handle, userId: UserId): Promise<boolean> {
  const result = await handle.deleteFrom('identities').where('user_id', '=', userId).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function selectExistingSiteIds(handle: Handle): Promise<Set<number>> {
  const rows = await handle.selectFrom('sites').select('id').execute();
  return new Set(rows.map(({ id }) => id));
}

/** Ends sessions that began at the identity provider: those of one user, of all users without a grant, or all. */
export async function deleteProviderSessions(
  handle: Handle,
  whose: UserId | 'without-grant' | 'all',
): Promise<void> {
  const begunThere = handle
    .selectFrom('external_sessions')
    .select('token_hash')
    .where('sealed_id_token', 'is not', null);
  const sessions = handle.deleteFrom('web_sessions').where('token_hash', 'in', begunThere);
  if (whose === 'all') await sessions.execute();
  else if (whose === 'without-grant')
    await sessions.where('user_id', 'not in', handle.selectFrom('user_grants').select('user_id')).execute();
  else await sessions.where('user_id', '=', whose).execute();
}
