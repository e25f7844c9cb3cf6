// Queries for grants: which rules have given rights to a user, and which rights the user has without the rules.

import * as v from 'valibot';
import { asSiteId, asUserId, type UserId } from '../../kernel/ids.ts';
import { ROLES, type UserChange } from '../../kernel/users/user.ts';
import type { Handle } from '../../platform/database/database.ts';
import { readJson } from '../../platform/database/read-json.ts';
import { readKnown, UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { Rights } from './rules.ts';

const RULE_IDS = v.fallback(v.array(v.string()), []);
const SITE_IDS = v.fallback(v.array(v.pipe(v.number(), v.transform(asSiteId))), []);

export interface StoredGrant {
  userId: UserId;
  ruleIds: string[];
  /** The rights that the user had before a rule first matched, or that an administrator has set since. */
  own: Rights;
}

export async function selectGrants(handle: Handle, userId?: UserId): Promise<StoredGrant[]> {
  const all = handle.selectFrom('user_grants').selectAll();
  const rows = await (userId === undefined ? all : all.where('user_id', '=', userId)).execute();
  return rows.map((row) => {
    const role = readKnown(ROLES, row.own_role);
    const siteIds = v.parse(SITE_IDS, readJson(row.own_site_ids));
    return {
      userId: asUserId(row.user_id),
      ruleIds: v.parse(RULE_IDS, readJson(row.rule_ids)),
      // A role that only a newer release knows may allow less than any known role, so the user gets no sites.
      own: role === UNKNOWN ? { role: 'operator', siteIds: [] } : { role, siteIds },
    };
  });
}

/** If the user has a grant already, only its rule ids change. The user's own rights stay as they were stored first. */
export async function upsertGrant(
  handle: Handle,
  userId: UserId,
  { ruleIds, own }: Omit<StoredGrant, 'userId'>,
): Promise<void> {
  const matched = { rule_ids: JSON.stringify(ruleIds) };
  await handle
    .insertInto('user_grants')
    .values({
      user_id: userId,
      ...matched,
      own_role: own.role,
      own_site_ids: JSON.stringify(own.siteIds),
    })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(matched))
    .execute();
}

/** Stores the rights that an administrator has set. Does nothing if the user has no grant. */
export async function updateOwnRights(
  handle: Handle,
  userId: UserId,
  { role, siteIds }: Pick<UserChange, 'role' | 'siteIds'>,
): Promise<void> {
  if (role === undefined && siteIds === undefined) return;
  await handle
    .updateTable('user_grants')
    .set({
      ...(role !== undefined && { own_role: role }),
      ...(siteIds !== undefined && { own_site_ids: JSON.stringify(siteIds) }),
    })
    .where('user_id', '=', userId)
    .execute();
}

export async function deleteGrant(handle: Handle, userId: UserId): Promise<void> {
  await handle.deleteFrom('user_grants').where('user_id', '=', userId).execute();
}
