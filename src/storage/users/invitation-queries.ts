// Queries for the links with which users set their password.

import { asUserId, type UserId } from '../../domain/ids.ts';
import type { NewInvitation, PendingInvitation } from '../../domain/users/invitations.ts';
import { digestHash } from '../../domain/users/password.ts';
import type { User } from '../../domain/users/user.ts';
import type { Handle } from '../database.ts';
import { toUser } from './queries.ts';

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

export interface FoundInvitation {
  user: User;
  passwordHash: string;
  isFirst: boolean;
  expiresAtMs: number;
}

export async function selectInvitation(
  handle: Handle,
  by: { tokenHash: string } | { userId: UserId },
): Promise<FoundInvitation | undefined> {
  const row = await handle
    .selectFrom('invitations')
    .innerJoin('users', 'users.id', 'invitations.user_id')
    .selectAll('users')
    .select(['password_digest', 'is_first', 'expires_at_ms'])
    .where((eb) => ('userId' in by ? eb('user_id', '=', by.userId) : eb('token_hash', '=', by.tokenHash)))
    .where('active', '=', 1)
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
  const result = await handle
    .deleteFrom('invitations')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function deleteInvitationsOf(handle: Handle, userId: UserId): Promise<void> {
  await handle.deleteFrom('invitations').where('user_id', '=', userId).execute();
}

/** Makes the link expire at once. Its row stays, so that the user still counts as invited. */
export async function expireInvitation(handle: Handle, userId: UserId): Promise<void> {
  await handle.updateTable('invitations').set({ expires_at_ms: 0 }).where('user_id', '=', userId).execute();
}
