// The store for identities. A login writes the account, its role and its sites in one transaction, so that a crash
// cannot leave a user with the rights of an earlier rule.

import { userDetails } from '../../kernel/audit/audit-details.ts';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import { audited } from '../../kernel/audit/audited-store.ts';
import { deleteOtherWebSessions } from '../../kernel/sessions/session-queries.ts';
import { deleteInvitationsOf, selectInvitation } from '../../kernel/users/invitation-queries.ts';
import { NOBODYS_HASH } from '../../kernel/users/password.ts';
import type { User } from '../../kernel/users/user.ts';
import { insertUser, selectEmailOf, updatePassword } from '../../kernel/users/user-queries.ts';
import type { UserRecords } from '../../kernel/users/user-store.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import { deleteGrant, updateOwnRights } from './grant-queries.ts';
import { applyGrant, BY_RULE, takeGrantBack } from './rights-store.ts';
import type { Grant } from './rules.ts';
import type { IdentityProblem, IdentityStore, NewIdentity } from './single-sign-on.ts';
import {
  deleteIdentitiesOf,
  linkIdentity,
  selectIdentities,
  selectUserOfIdentity,
  selectUserWithEmail,
  upsertIdentity,
} from './single-sign-on-queries.ts';

interface At {
  atMs: number;
  ip: string;
}

export function makeIdentityStore(database: Database): IdentityStore {
  return {
    admit: (identity, grant, at) =>
      database
        .write((transaction) => admit(transaction, { identity, grant, at }))
        .catch((error) => {
          if (error instanceof LastAdmin) return fail({ kind: 'last-admin' });
          throw error;
        }),
    renew: (userId, identity, grant, at) =>
      database.write(async (transaction) => {
        const user = await selectUserOfIdentity(transaction, identity);
        if (user?.id !== userId || !user.active) return fail({ kind: 'not-linked' });
        const renewed = await applyGrant(transaction, user, { grant, at });
        return renewed ? ok(renewed) : fail({ kind: 'last-admin' });
      }),
    refuse: (identity, at) =>
      database.write(async (transaction) => {
        const user = await selectUserOfIdentity(transaction, identity);
        if (user) await takeGrantBack(transaction, user, at);
        if (user) await deleteOtherWebSessions(transaction, user.id);
        await insertAuditEntry(transaction, {
          ...at,
          ...BY_RULE,
          action: 'user.no-rule',
          details: user ? userDetails(user) : { user: { id: null, name: describe(identity) } },
        });
      }),
    listWaiting: () => selectIdentities(database.read, null),
    listOf: (userId) => selectIdentities(database.read, userId),
    link: (identityId, userId, audit) =>
      database.write(async (transaction) => {
        const email = await selectEmailOf(transaction, userId);
        const subject = email && (await linkIdentity(transaction, identityId, userId));
        if (email === undefined || subject === undefined) return false;
        const details = { ...userDetails({ id: userId, email }), name: subject };
        await insertAuditEntry(transaction, { ...audit, action: 'user.linked', details });
        return true;
      }),
    unlink: (user, audit) =>
      audited(
        database,
        { ...audit, action: 'user.unlinked', details: userDetails(user) },
        async (transaction) => {
          if (!(await deleteIdentitiesOf(transaction, user.id))) return false;
          await takeGrantBack(transaction, user, audit);
          await deleteOtherWebSessions(transaction, user.id);
          return true;
        },
      ),
  };
}

class LastAdmin extends Error {}

interface Admission {
  identity: NewIdentity;
  grant: Grant;
  at: At;
}

async function admit(
  transaction: Handle,
  { identity, grant, at }: Admission,
): Promise<Result<User, IdentityProblem>> {
  const known = await selectUserOfIdentity(transaction, identity);
  const user = known ?? (await findOrAdd(transaction, { identity, at }));
  if (user && !user.active) return fail({ kind: 'account-disabled' });
  await upsertIdentity(transaction, identity, { userId: user?.id ?? null, atMs: at.atMs });
  if (!user)
    return fail({ kind: identity.verifiedEmail === undefined ? 'email-unverified' : 'email-unusable' });
  const granted = await applyGrant(transaction, user, { grant, at });
  if (!granted) throw new LastAdmin();
  return ok(granted);
}

/**
 * Finds or adds the user who has the identity's verified e-mail address. Returns undefined if the identity has no such
 * address, or if a user of an earlier release has the address in another form: only an administrator can tell whether
 * that user is the same person.
 */
async function findOrAdd(
  transaction: Handle,
  { identity, at }: Omit<Admission, 'grant'>,
): Promise<User | undefined> {
  const { verifiedEmail: email, name } = identity;
  if (email === undefined) return undefined;
  const isAdded = await insertUser(transaction, {
    email,
    name,
    // An operator without sites has no rights. The new user gets rights when the grant is applied.
    role: 'operator',
    // No password matches this hash. A password can be set later, with `gastpass users reset-password`.
    passwordHash: NOBODYS_HASH,
    createdAtMs: at.atMs,
  });
  const user = await selectUserWithEmail(transaction, email);
  // An invited user who logs in through the provider needs no password, so the invitation link must not set one.
  if (user && !isAdded && (await selectInvitation(transaction, { userId: user.id }))?.isFirst) {
    await updatePassword(transaction, email, NOBODYS_HASH);
    await deleteInvitationsOf(transaction, user.id);
  }
  const action = isAdded ? 'user.added' : 'user.linked';
  if (user?.active)
    await insertAuditEntry(transaction, {
      ...at,
      ...BY_RULE,
      action,
      details: { ...userDetails(user), name: describe(identity) },
    });
  return user;
}

function describe({ issuer, subject, shownEmail }: NewIdentity): string {
  return `${shownEmail} (${issuer} ${subject})`;
}

/** The identities and the grant of a user, which change with the user. */
export const identityRecords: UserRecords = {
  change: updateOwnRights,
  async remove(transaction, id) {
    await deleteIdentitiesOf(transaction, id);
    await deleteGrant(transaction, id);
  },
};
