// Gives users the rights that rules grant, and takes these rights back. Runs in the transactions of the stores for
// identities and for rules.

import { serviceActor } from '../../kernel/audit/actor.ts';
import { userDetails } from '../../kernel/audit/audit-details.ts';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import type { User } from '../../kernel/users/user.ts';
import {
  countAdmins,
  holdAdmins,
  holdUser,
  replaceSites,
  selectSiteIdsOf,
  selectUsers,
  updateUser,
} from '../../kernel/users/user-queries.ts';
import type { Handle } from '../../platform/database/database.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import { deleteGrant, selectGrants, upsertGrant } from './grant-queries.ts';
import { commonRights, type Grant, grantOf, type Rights, type Rule } from './rules.ts';
import { deleteProviderSessions, selectExistingSiteIds } from './single-sign-on-queries.ts';

export const BY_RULE = { actor: serviceActor('Single sign-on') };

export interface At {
  atMs: number;
  ip?: string;
}

/** If no administrator would be left, changes nothing and returns undefined. */
export async function applyGrant(
  transaction: Handle,
  { id }: Pick<User, 'id'>,
  { grant, at }: { grant: Grant; at: At },
): Promise<User | undefined> {
  // An administrator who changes the user at the same time waits, or has finished.
  const user = await holdUser(transaction, id);
  const own = await rightsOf(transaction, user);
  if (!own) return user;
  const changed = await applyRights(transaction, user, { rights: grant, at });
  if (changed) await upsertGrant(transaction, user.id, { ruleIds: grant.ruleIds, own });
  return changed;
}

/** Takes back the rights that rules gave. Of the user's own rights, only those remain that the user has at present. */
export async function takeGrantBack(transaction: Handle, { id }: Pick<User, 'id'>, at: At): Promise<void> {
  const user = await holdUser(transaction, id);
  const [grant] = await selectGrants(transaction, user.id);
  const now = await rightsOf(transaction, user);
  if (!grant || !now) return;
  if (await applyRights(transaction, user, { rights: commonRights(grant.own, now), at }))
    await deleteGrant(transaction, user.id);
}

/** Takes back the rights that a removed rule gave to users. `rules` are the remaining rules. */
export async function withdrawRule(
  transaction: Handle,
  { ruleId, rules, at }: { ruleId: string; rules: Rule[]; at: At },
): Promise<void> {
  // Users without a grant must log in again, because an earlier release did not record which rules applied to them.
  await deleteProviderSessions(transaction, 'without-grant');
  const users = new Set((await selectUsers(transaction)).map(({ id }) => id));
  for (const { userId, ruleIds } of await selectGrants(transaction)) {
    if (!users.has(userId) || !ruleIds.includes(ruleId)) continue;
    const user = await holdUser(transaction, userId);
    const now = await rightsOf(transaction, user);
    if (!now) continue;
    const remaining = grantOf(rules.filter(({ id }) => ruleIds.includes(id)));
    // Limit the grant to the current rights, because an administrator may have taken rights from the user since the
    // login.
    const grant = remaining && { ...remaining, ...commonRights(remaining, now) };
    if (!grant) await takeGrantBack(transaction, user, at);
    const isGranted = grant && (await applyGrant(transaction, user, { grant, at }));
    if (!isGranted) await deleteProviderSessions(transaction, userId);
  }
}

async function applyRights(
  transaction: Handle,
  user: User,
  { rights, at }: { rights: Rights; at: At },
): Promise<User | undefined> {
  const { role } = rights;
  const existing = await selectExistingSiteIds(transaction);
  const siteIds = rights.siteIds.filter((id) => existing.has(id));
  const hasNewRole = user.role !== role;
  if (!hasNewRole && String(await sitesOf(transaction, user)) === String(siteIds)) return user;
  if (hasNewRole) {
    await holdAdmins(transaction);
    if (user.role === 'admin' && user.active && (await countAdmins(transaction)) === 1) return undefined;
    await updateUser(transaction, user.id, { role });
  }
  await replaceSites(transaction, user.id, siteIds);
  await insertAuditEntry(transaction, {
    ...at,
    ...BY_RULE,
    action: 'user.changed',
    details: { ...userDetails(user), changes: { ...(hasNewRole && { role }), siteIds } },
  });
  return { ...user, role };
}

/** Returns undefined for a role that only a newer release knows, because such a role is not changed. */
async function rightsOf(transaction: Handle, user: User): Promise<Rights | undefined> {
  return user.role === UNKNOWN ? undefined : { role: user.role, siteIds: await sitesOf(transaction, user) };
}

async function sitesOf(transaction: Handle, { id }: User) {
  return (await selectSiteIdsOf(transaction, id)).sort((one, other) => one - other);
}
