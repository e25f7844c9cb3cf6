// Questions about people. Addresses are kept in lower case, so they are unique whatever was typed.

import type { Selectable } from 'kysely';
import { asSiteId, asUserId, type SiteId, type UserId } from '../domain/ids.ts';
import type { NewUser, User } from '../domain/users/user.ts';
import type { Handle } from './database.ts';
import type { Tables } from './schema.ts';

export async function insertUser(handle: Handle, user: NewUser): Promise<UserId | undefined> {
  const row = await handle
    .insertInto('users')
    .values({
      email: user.email.toLowerCase(),
      name: user.name,
      role: user.role,
      password_hash: user.passwordHash,
      created_at_ms: user.createdAtMs,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row && asUserId(row.id);
}

export async function selectUsers(handle: Handle): Promise<User[]> {
  const rows = await handle.selectFrom('users').selectAll().orderBy('email').execute();
  return rows.map(toUser);
}

/** Only of those who may sign in. */
export async function selectUserByEmail(
  handle: Handle,
  email: string,
): Promise<(User & { passwordHash: string }) | undefined> {
  const row = await handle
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email.toLowerCase())
    .where('active', '=', 1)
    .executeTakeFirst();
  return row && { ...toUser(row), passwordHash: row.password_hash };
}

/** The sites that were given to somebody. */
export async function selectSiteIdsOf(handle: Handle, id: UserId): Promise<SiteId[]> {
  const rows = await handle.selectFrom('user_sites').select('site_id').where('user_id', '=', id).execute();
  return rows.map(({ site_id }) => asSiteId(site_id));
}

export function toUser(row: Selectable<Tables['users']>): User {
  return {
    id: asUserId(row.id),
    email: row.email,
    name: row.name,
    role: row.role === 'admin' ? 'admin' : 'operator',
    active: row.active === 1,
    createdAtMs: row.created_at_ms,
  };
}

export async function updatePassword(handle: Handle, email: string, passwordHash: string): Promise<boolean> {
  const result = await handle
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
