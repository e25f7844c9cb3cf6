// Queries for users. E-mail addresses are stored in one form (`toEmailAddress`), except some from earlier releases.

import { type Selectable, sql } from 'kysely';
import { compileOnce, type Placeholders } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/schema.ts';
import { readKnown } from '../../platform/values/unknown-value.ts';
import { asSiteId, asUserId, type SiteId, type UserId } from '../ids.ts';
import { addressesMeant, toEmailAddress } from './email-address.ts';
import { NOBODYS_HASH } from './password.ts';
import { type NewUser, ROLES, type User, type UserChange, type UserWithHash } from './user.ts';

/** Excludes removed users, whose rows vouchers and batches refer to. Real addresses have no space, so none matches. */
export const isThere = sql<boolean>`users.email not like 'removed %'`;

/** Undefined if the address is taken. */
export async function insertUser(handle: Handle, user: NewUser): Promise<UserId | undefined> {
  const email = toEmailAddress(user.email);
  if (email === undefined) throw new Error('a new user needs an e-mail address of plain ASCII');
  if (await isTakenInAnotherForm(handle, email)) return undefined;
  const row = await handle
    .insertInto('users')
    .values({
      email,
      name: user.name,
      role: user.role,
      password_hash: user.passwordHash,
      created_at_ms: user.createdAtMs,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row && user.siteIds) await replaceSites(handle, asUserId(row.id), user.siteIds);
  return row && asUserId(row.id);
}

export async function selectUsers(handle: Handle): Promise<User[]> {
  const rows = await handle.selectFrom('users').selectAll().where(isThere).orderBy('email').execute();
  return rows.map(toUser);
}

export async function selectBcryptHashes(handle: Handle): Promise<string[]> {
  const rows = await handle
    .selectFrom('users')
    .select('password_hash')
    .where('active', '=', 1)
    .where('password_hash', 'like', '$2%')
    .execute();
  return rows.map((row) => row.password_hash);
}

/** False if another user has the address. */
export async function updateEmail(handle: Handle, id: UserId, email: string): Promise<boolean> {
  const taken = await handle.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
  if ((taken && taken.id !== id) || (await isTakenInAnotherForm(handle, email, id))) return false;
  await handle.updateTable('users').set({ email }).where('id', '=', id).execute();
  return true;
}

/** Earlier releases stored an international domain as it was typed, so the same address may have two forms. */
async function isTakenInAnotherForm(handle: Handle, email: string, exceptId?: UserId): Promise<boolean> {
  const start = email.slice(0, email.indexOf('@') + 1);
  const rows = await handle
    .selectFrom('users')
    .select(['id', 'email'])
    .where((eb) => eb(eb.fn('substr', ['email', eb.val(1), eb.val(start.length)]), '=', start))
    .execute();
  return rows.some(
    (row) => row.id !== exceptId && row.email !== email && toEmailAddress(row.email) === email,
  );
}

/** Finds active users only. */
export async function selectUserByEmail(handle: Handle, typed: string): Promise<UserWithHash | undefined> {
  const meant = addressesMeant(typed);
  const rows = await handle
    .selectFrom('users')
    .selectAll()
    .where('email', 'in', meant)
    .where('active', '=', 1)
    .execute();
  const [row] = meant.flatMap((email) => rows.filter((found) => found.email === email));
  return row && toUserWithHash(row);
}

/**
 * Locks the row of the user: until the transaction ends, no other transaction can change the password. False if the
 * user was deactivated or no longer has this hash.
 */
export async function holdUserWithHash(handle: Handle, id: UserId, passwordHash: string): Promise<boolean> {
  const result = await handle
    .updateTable('users')
    .set((eb) => ({ active: eb.ref('active') }))
    .where('id', '=', id)
    .where('active', '=', 1)
    .where('password_hash', '=', passwordHash)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Locks the row of the user until the transaction ends. Returns the user as it is then. */
export async function holdUser(handle: Handle, id: UserId): Promise<User> {
  const row = await handle
    .updateTable('users')
    .set((eb) => ({ active: eb.ref('active') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toUser(row);
}

const siteIdsOf = compileOnce((handle: Handle, { id }: Placeholders<{ id: UserId }>) =>
  handle.selectFrom('user_sites').select('site_id').where('user_id', '=', id),
);

export async function selectSiteIdsOf(handle: Handle, id: UserId): Promise<SiteId[]> {
  const { rows } = await siteIdsOf(handle, { id });
  return rows.map(({ site_id }) => asSiteId(site_id));
}

export async function selectAllSiteIds(handle: Handle): Promise<Map<UserId, SiteId[]>> {
  const rows = await handle.selectFrom('user_sites').selectAll().orderBy('site_id').execute();
  const byUser = Map.groupBy(rows, ({ user_id }) => asUserId(user_id));
  return new Map([...byUser].map(([id, given]) => [id, given.map(({ site_id }) => asSiteId(site_id))]));
}

export async function replaceSites(handle: Handle, id: UserId, siteIds: SiteId[]): Promise<void> {
  await handle.deleteFrom('user_sites').where('user_id', '=', id).execute();
  if (siteIds.length === 0) return;
  const rows = [...new Set(siteIds)].map((site_id) => ({ user_id: id, site_id }));
  await handle.insertInto('user_sites').values(rows).execute();
}

/** Returns the e-mail address of the changed user; undefined if there is no such user. */
export async function updateUser(
  handle: Handle,
  id: UserId,
  { name, role, active }: Omit<UserChange, 'siteIds'>,
): Promise<string | undefined> {
  const row = await handle
    .updateTable('users')
    .set((eb) => ({
      // Always set the name, because an update needs at least one column.
      name: name ?? eb.ref('name'),
      ...(role !== undefined && { role }),
      ...(active !== undefined && { active: active ? 1 : 0 }),
    }))
    .where('id', '=', id)
    .where(isThere)
    .returning('email')
    .executeTakeFirst();
  return row?.email;
}

/** Removes personal data from the row of a user. Earlier releases show the row as a deactivated user without a name. */
export async function anonymiseUser(handle: Handle, id: UserId): Promise<void> {
  await handle
    .updateTable('users')
    .set({ email: `removed ${id}`, name: '', password_hash: NOBODYS_HASH })
    .where('id', '=', id)
    .execute();
}

/** Locks all administrators: until the transaction ends, no other transaction can demote or deactivate one of them. */
export async function holdAdmins(handle: Handle): Promise<void> {
  await handle
    .updateTable('users')
    .set((eb) => ({ active: eb.ref('active') }))
    .where('role', '=', 'admin')
    .execute();
}

/** Counts active administrators only. */
export async function countAdmins(handle: Handle): Promise<number> {
  const row = await handle
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('role', '=', 'admin')
    .where('active', '=', 1)
    .executeTakeFirstOrThrow();
  return row.count;
}

export function toUser(row: Selectable<Tables['users']>): User {
  return {
    id: asUserId(row.id),
    email: row.email,
    name: row.name,
    role: readKnown(ROLES, row.role),
    active: row.active === 1,
    createdAtMs: row.created_at_ms,
  };
}

export const toUserWithHash = (row: Selectable<Tables['users']>): UserWithHash => ({
  ...toUser(row),
  passwordHash: row.password_hash,
});

export async function updatePassword(
  handle: Handle,
  email: string,
  passwordHash: string,
): Promise<UserId | undefined> {
  const updated = await handle
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirst();
  return updated && asUserId(updated.id);
}

/** False if the user no longer has the hash `from`. */
export async function replaceHash(
  handle: Handle,
  id: UserId,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const result = await handle
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', id)
    .where('password_hash', '=', from)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function selectEmailOf(handle: Handle, id: UserId): Promise<string | undefined> {
  const user = handle.selectFrom('users').select('email').where('id', '=', id).where(isThere);
  const row = await user.executeTakeFirst();
  return row?.email;
}
