// Queries for the links with which users set their password.

import { sql } from 'kysely';
import type { Handle } from '../../platform/database/database.ts';
import { asUserId, type UserId } from '../ids.ts';
import { type NewInvitation, type PendingInvitation, RESET_MS } from './invitations.ts';
import { digestHash } from './password.ts';
import type { User } from './user.ts';
import { toUser } from './user-queries.ts';

export async function upsertInvitation(
  handle: Handle,
  userId: UserId,
  invitation: NewInvitation & { passwordDigest: string; isFirst: boolean },
): Promise<void> {
  const row = {
    token_hash: invitation.tokenHash,
    password_digest: invitation.passwordDigest,
    is_first: invitation.isFirst ? 1 : 0,
    expires_at_ms: invitation.expiresAtMs,
  };
  await handle
    .insertInto('invitations')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}

/** Also deletes the user's links that have ended. */
export async function insertResetLink(
  handle: Handle,
  userId: UserId,
  link: NewInvitation & { passwordDigest: string; atMs: number },
): Promise<void> {
  await handle
    .deleteFrom('reset_links')
    .where('user_id', '=', userId)
    .where((eb) =>
      eb.or([eb('expires_at_ms', '<=', link.atMs), eb('expires_at_ms', '>', link.atMs + RESET_MS)]),
    )
    .execute();
  await handle
    .insertInto('reset_links')
    .values({
      token_hash: link.tokenHash,
      user_id: userId,
      password_digest: link.passwordDigest,
      expires_at_ms: link.expiresAtMs,
    })
    .execute();
}

export interface FoundInvitation {
  user: User;
  passwordHash: string;
  isFirst: boolean;
  expiresAtMs: number;
}

/** A link of an administrator, or one that the user asked for. Prefers the first invitation of the user. */
export async function selectInvitation(
  handle: Handle,
  by: { tokenHash: string } | { userId: UserId },
): Promise<FoundInvitation | undefined> {
  const columns = ['user_id', 'token_hash', 'password_digest', 'expires_at_ms'] as const;
  const row = await handle
    .selectFrom(
      handle
        .selectFrom('invitations')
        .select([...columns, 'is_first'])
        .unionAll(handle.selectFrom('reset_links').select([...columns, sql.lit(0).as('is_first')]))
        .as('links'),
    )
    .innerJoin('users', 'users.id', 'links.user_id')
    .selectAll('users')
    .select(['password_digest', 'is_first', 'expires_at_ms'])
    .where((eb) => ('userId' in by ? eb('user_id', '=', by.userId) : eb('token_hash', '=', by.tokenHash)))
    .where('active', '=', 1)
    .orderBy('is_first', 'desc')
    .executeTakeFirst();
  if (!row || row.password_digest !== digestHash(row.password_hash)) return undefined;
  return {
    user: toUser(row),
    passwordHash: row.password_hash,
    isFirst: row.is_first === 1,
    expiresAtMs: row.expires_at_ms,
  };
}

export async function selectInvitations(handle: Handle): Promise<Map<UserId, PendingInvitation>> {
  const rows = await handle
    .selectFrom('invitations')
    .innerJoin('users', 'users.id', 'invitations.user_id')
    .select(['user_id', 'password_hash', 'password_digest', 'is_first', 'expires_at_ms'])
    .execute();
  const valid = rows.filter((row) => row.password_digest === digestHash(row.password_hash));
  return new Map(
    valid.map(({ user_id, is_first, expires_at_ms }) => [
      asUserId(user_id),
      { isFirst: is_first === 1, expiresAtMs: expires_at_ms },
    ]),
  );
}

/** False if the link was used or replaced. Of two concurrent calls, only one returns true. */
export async function deleteInvitation(handle: Handle, tokenHash: string): Promise<boolean> {
  for (const table of ['invitations', 'reset_links'] as const) {
    const result = await handle.deleteFrom(table).where('token_hash', '=', tokenHash).executeTakeFirst();
    if (result.numDeletedRows > 0n) return true;
  }
  return false;
}

export async function deleteInvitationsOf(handle: Handle, userId: UserId): Promise<void> {
  for (const table of ['invitations', 'reset_links'] as const)
    await handle.deleteFrom(table).where('user_id', '=', userId).execute();
}

/** Makes all links expire at once. The row of an invitation stays, so that the user still counts as invited. */
export async function expireInvitations(handle: Handle, userId: UserId): Promise<void> {
  await handle.deleteFrom('reset_links').where('user_id', '=', userId).execute();
  await handle.updateTable('invitations').set({ expires_at_ms: 0 }).where('user_id', '=', userId).execute();
}
