// Queries for second factors, recovery codes and pending logins.

import type { Handle } from '../../platform/database/database.ts';
import { asUserId, type UserId } from '../ids.ts';
import type { PendingLogin } from '../sessions/pending-login.ts';
import type { UserWithHash } from './user.ts';
import { toUserWithHash } from './user-queries.ts';

export interface FactorRow {
  sealedSecret: string;
  lastStep: number;
  createdAtMs: number;
}

/** False if the user already has a second factor. */
export async function insertFactor(handle: Handle, userId: UserId, factor: FactorRow): Promise<boolean> {
  const row = await handle
    .insertInto('second_factors')
    .values({
      user_id: userId,
      sealed_secret: factor.sealedSecret,
      last_step: factor.lastStep,
      created_at_ms: factor.createdAtMs,
    })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function selectFactor(handle: Handle, userId: UserId): Promise<FactorRow | undefined> {
  return handle
    .selectFrom('second_factors')
    .select(['sealed_secret as sealedSecret', 'last_step as lastStep', 'created_at_ms as createdAtMs'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export async function selectFactorOwners(handle: Handle): Promise<Set<UserId>> {
  const rows = await handle.selectFrom('second_factors').select('user_id').execute();
  return new Set(rows.map(({ user_id }) => asUserId(user_id)));
}

/** The foreign key deletes the recovery codes as well. */
export async function deleteFactor(handle: Handle, userId: UserId): Promise<boolean> {
  const result = await handle.deleteFrom('second_factors').where('user_id', '=', userId).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** False if the code of this step or of a later step has been used. */
export async function raiseLastStep(handle: Handle, userId: UserId, step: number): Promise<boolean> {
  const result = await handle
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Locks the second factor: until the transaction ends, no other transaction can change or delete it or replace its
 * recovery codes. False if the user has no second factor.
 */
export async function holdFactor(handle: Handle, userId: UserId): Promise<boolean> {
  const result = await handle
    .updateTable('second_factors')
    .set((eb) => ({ last_step: eb.ref('last_step') }))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function insertCodes(handle: Handle, userId: UserId, codeHashes: string[]): Promise<void> {
  const rows = codeHashes.map((code_hash) => ({ user_id: userId, code_hash }));
  await handle.insertInto('recovery_codes').values(rows).execute();
}

export async function deleteCodes(handle: Handle, userId: UserId): Promise<void> {
  await handle.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** False if the code does not exist or has been used. */
export async function deleteCode(handle: Handle, userId: UserId, codeHash: string): Promise<boolean> {
  const result = await handle
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function countCodes(handle: Handle, userId: UserId): Promise<number> {
  const row = await handle
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function insertPendingLogin(handle: Handle, pending: PendingLogin): Promise<void> {
  const { tokenHash, userId, createdAtMs } = pending;
  await handle
    .insertInto('half_sign_ins')
    .values({ token_hash: tokenHash, user_id: userId, created_at_ms: createdAtMs })
    .execute();
}

export async function selectPendingLogin(
  handle: Handle,
  tokenHash: string,
): Promise<{ createdAtMs: number; user: UserWithHash } | undefined> {
  const row = await handle
    .selectFrom('half_sign_ins')
    .innerJoin('users', 'users.id', 'half_sign_ins.user_id')
    .selectAll('users')
    .select('half_sign_ins.created_at_ms as begun_at_ms')
    .where('token_hash', '=', tokenHash)
    .where('active', '=', 1)
    .executeTakeFirst();
  return row && { createdAtMs: row.begun_at_ms, user: toUserWithHash(row) };
}

export async function deletePendingLogin(handle: Handle, tokenHash: string): Promise<boolean> {
  const result = await handle
    .deleteFrom('half_sign_ins')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function deletePendingLoginsOf(handle: Handle, email: string): Promise<void> {
  await handle
    .deleteFrom('half_sign_ins')
    .where('user_id', 'in', (eb) => eb.selectFrom('users').select('id').where('email', '=', email))
    .execute();
}

export async function deleteOldPendingLogins(handle: Handle, beforeMs: number): Promise<void> {
  await handle.deleteFrom('half_sign_ins').where('created_at_ms', '<', beforeMs).execute();
}
