// Writes the users of another tool with their sites, passwords and second factors. A user who exists already is not
// changed. Users without a password count as invited, with a link that has expired.

import { randomBytes } from 'node:crypto';
import { asSiteId, asUserId, type UserId } from '../../../kernel/ids.ts';
import { upsertInvitation } from '../../../kernel/users/invitation-queries.ts';
import { digestHash, makeUnusableHash } from '../../../kernel/users/password.ts';
import { insertCodes, insertFactor } from '../../../kernel/users/second-factor-queries.ts';
import type { User } from '../../../kernel/users/user.ts';
import { insertUser, replaceSites, updateUser } from '../../../kernel/users/user-queries.ts';
import type { Handle } from '../../../platform/database/database.ts';
import type { Seal } from '../../../platform/secrets/seal.ts';
import type { MovedInGrant, MovedInUser } from '../moved-in-data.ts';
import type { Remarks } from '../report.ts';

type KnownUser = Pick<User, 'id' | 'name'>;
/** The users, by their id in the other tool. */
export type KnownUsers = ReadonlyMap<number, KnownUser>;

interface Input {
  users: MovedInUser[];
  grants: MovedInGrant[];
  remarks: Remarks;
  atMs: number;
}

interface Inserted {
  added: number;
  grants: number;
  known: Map<number, KnownUser>;
}

export async function insertUsers(
  handle: Handle,
  seal: Seal,
  { users, grants, remarks, atMs }: Input,
): Promise<Inserted> {
  const sitesOf = Map.groupBy(grants, ({ userId }) => userId);
  const inserted: Inserted = { added: 0, grants: 0, known: new Map() };
  for (const user of users) {
    const { email, name, isAdmin, isActive, totp } = user;
    const passwordHash = user.passwordHash ?? makeUnusableHash();
    const createdAtMs = user.createdAtMs ?? atMs;
    const role = isAdmin ? ('admin' as const) : ('operator' as const);
    const id = await insertUser(handle, { email, name, role, passwordHash, createdAtMs });
    if (id === undefined) {
      remarks.add('users', 'exists here already: nothing about this user is changed', email);
      const row = await handle
        .selectFrom('users')
        .select(['id', 'name'])
        .where('email', '=', email)
        .executeTakeFirst();
      if (row) inserted.known.set(user.id, { id: asUserId(row.id), name: row.name });
      continue;
    }
    inserted.added++;
    inserted.known.set(user.id, { id, name });
    const siteIds = [...new Set((sitesOf.get(user.id) ?? []).map(({ siteId }) => asSiteId(siteId)))];
    await replaceSites(handle, id, siteIds);
    inserted.grants += siteIds.length;
    if (totp) await addFactor(handle, seal, { id, ...totp, createdAtMs });
    if (user.passwordHash === null) await countAsInvited(handle, id, passwordHash);
    if (!isActive) await updateUser(handle, id, { active: false });
  }
  return inserted;
}

interface Factor extends NonNullable<MovedInUser['totp']> {
  id: UserId;
  createdAtMs: number;
}

async function addFactor(handle: Handle, seal: Seal, factor: Factor): Promise<void> {
  const { id, secret, codeHashes, createdAtMs } = factor;
  const place = { table: 'second_factors', column: 'sealed_secret', row: id } as const;
  const sealedSecret = await seal.seal(handle, secret, place);
  await insertFactor(handle, id, { sealedSecret, lastStep: 0, createdAtMs });
  if (codeHashes.length > 0) await insertCodes(handle, id, codeHashes);
}

function countAsInvited(handle: Handle, id: UserId, passwordHash: string): Promise<void> {
  return upsertInvitation(handle, id, {
    tokenHash: randomBytes(32).toString('hex'),
    passwordDigest: digestHash(passwordHash),
    isFirst: true,
    expiresAtMs: 0,
  });
}
