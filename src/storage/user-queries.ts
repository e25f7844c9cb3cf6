// Questions about people. Addresses are kept in lower case, so they are unique whatever was typed.

import { asUserId, type UserId } from '../domain/ids.ts';
import type { NewUser, User } from '../domain/users/user.ts';
import type { Handle } from './database.ts';

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
  const rows = await handle
    .selectFrom('users')
    .select(['id', 'email', 'name', 'role', 'created_at_ms'])
    .orderBy('email')
    .execute();
  return rows.map((row) => ({
    id: asUserId(row.id),
    email: row.email,
    name: row.name,
    role: row.role === 'admin' ? 'admin' : 'operator',
    createdAtMs: row.created_at_ms,
  }));
}

export async function updatePassword(handle: Handle, email: string, passwordHash: string): Promise<boolean> {
  const result = await handle
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
