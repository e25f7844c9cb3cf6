// The stores for users, for the first administrator and for the links with which users set their password.

import type { Database, Handle } from '../../platform/database/database.ts';
import {
  countRows,
  deleteSetting,
  selectSetting,
  upsertSetting,
} from '../../platform/database/installation-queries.ts';
import { serviceActor } from '../audit/actor.ts';
import { userDetails } from '../audit/audit-details.ts';
import { insertAuditEntry } from '../audit/audit-queries.ts';
import { audited } from '../audit/audited-store.ts';
import type { UserId } from '../ids.ts';
import { deleteFailuresOfAccount, deleteOtherWebSessions } from '../sessions/session-queries.ts';
import { type LinkMailKind, makeNotice } from './account-mail.ts';
import { type AccountMails, countAccountMails, insertAccountMail } from './account-mail-store.ts';
import type { FirstAdminStore } from './first-admin.ts';
import {
  deleteInvitation,
  deleteInvitationsOf,
  expireInvitations,
  insertResetLink,
  selectInvitation,
  selectInvitations,
  upsertInvitation,
} from './invitation-queries.ts';
import { type InvitationStore, MAX_RESETS, type NewInvitation, RESET_MS } from './invitations.ts';
import { digestHash, NOBODYS_HASH } from './password.ts';
import { deleteFactor, deletePendingLoginsOf } from './second-factor-queries.ts';
import type { User, UserChange, UserStore } from './user.ts';
import {
  anonymiseUser,
  countAdmins,
  holdAdmins,
  holdUserWithHash,
  insertUser,
  replaceHash,
  replaceSites,
  selectAllSiteIds,
  selectBcryptHashes,
  selectEmailOf,
  selectSiteIdsOf,
  selectUserByEmail,
  selectUsers,
  updateEmail,
  updatePassword,
  updateUser,
} from './user-queries.ts';

/** Records of a feature about users, which change in the same transaction. */
export interface UserRecords {
  change(transaction: Handle, id: UserId, change: UserChange): Promise<void>;
  remove(transaction: Handle, id: UserId): Promise<void>;
}

export function makeUserStore(
  database: Database,
  accountMails: AccountMails,
  records: readonly UserRecords[] = [],
): UserStore {
  return {
    add: (user, by) =>
      audited(
        database,
        {
          ...by,
          action: 'user.added',
          details: (id) => ({ ...userDetails({ id, email: user.email }), changes: { role: user.role } }),
        },
        (transaction) => insertUser(transaction, user),
      ),
    list: () => selectUsers(database.read),
    siteIdsOf: (id) => selectSiteIdsOf(database.read, id),
    listSiteIds: () => selectAllSiteIds(database.read),
    change: (id, change, audit) =>
      database
        .write(async (transaction) => {
          const email = await updateKeepingAnAdmin(transaction, id, change);
          if (email === undefined) return 'unknown';
          if (change.siteIds) await replaceSites(transaction, id, change.siteIds);
          for (const record of records) await record.change(transaction, id, change);
          if (change.active === false) {
            await deleteOtherWebSessions(transaction, id);
            await deletePendingLoginsOf(transaction, email);
            await expireInvitations(transaction, id);
          }
          const details = { ...userDetails({ id, email }), changes: { ...change } };
          await insertAuditEntry(transaction, { ...audit, action: 'user.changed', details });
          return 'changed';
        })
        .catch(orLastAdmin),
    changeEmail: (id, email, audit) =>
      database.write(async (transaction) => {
        const before = await selectEmailOf(transaction, id);
        if (before === undefined) return 'unknown';
        const notice = await accountMails.seal(transaction, makeNotice(before, 'email', audit));
        if (!(await updateEmail(transaction, id, email))) return 'taken';
        await insertAccountMail(transaction, notice);
        await deleteFailuresOfAccount(transaction, before);
        // The link may have been sent to the previous address.
        await expireInvitations(transaction, id);
        const details = { ...userDetails({ id, email: before }), changes: { email } };
        await insertAuditEntry(transaction, { ...audit, action: 'user.changed', details });
        return 'changed';
      }),
    remove: (id, audit) =>
      database
        .write(async (transaction) => {
          const email = await updateKeepingAnAdmin(transaction, id, { role: 'operator', active: false });
          if (email === undefined) return 'unknown';
          await endSessionsAndLinks(transaction, { id, email });
          await deleteFactor(transaction, id);
          for (const record of records) await record.remove(transaction, id);
          await replaceSites(transaction, id, []);
          await anonymiseUser(transaction, id);
          const details = userDetails({ id, email });
          await insertAuditEntry(transaction, { ...audit, action: 'user.removed', details });
          return 'removed';
        })
        .catch(orLastAdmin),
    findByEmail: (email) => selectUserByEmail(database.read, email),
    listBcryptHashes: () => selectBcryptHashes(database.read),
    unlock: (email, audit) =>
      audited(database, { ...audit, action: 'user.unlocked', details: userDetails }, async (transaction) => {
        const user = await selectUserByEmail(transaction, email);
        if (user) await deleteFailuresOfAccount(transaction, user.email);
        return user;
      }).then((user) => user !== undefined),
    renewHash: (id, hashes) => database.write((transaction) => replaceHash(transaction, id, hashes)),
    setPassword: (email, { passwordHash, keptSession, audit }) =>
      audited(
        database,
        { ...audit, action: 'user.password-reset', details: userDetails },
        async (transaction) => {
          const notice = await accountMails.seal(transaction, makeNotice(email, 'password', audit));
          const id = await updatePassword(transaction, email, passwordHash);
          if (id === undefined) return undefined;
          await insertAccountMail(transaction, notice);
          await endSessionsAndLinks(transaction, { id, email }, keptSession);
          return { id, email };
        },
      ).then((user) => user !== undefined),
  };
}

/** Returns the user's e-mail address; undefined if there is no such user. Throws if no active administrator is left. */
async function updateKeepingAnAdmin(
  transaction: Handle,
  id: UserId,
  change: UserChange,
): Promise<string | undefined> {
  const isLess = change.role === 'operator' || change.active === false;
  if (isLess) await holdAdmins(transaction);
  const before = isLess ? await countAdmins(transaction) : 0;
  const email = await updateUser(transaction, id, change);
  if (before > 0 && (await countAdmins(transaction)) === 0) throw new LastAdmin();
  return email;
}

class LastAdmin extends Error {}

function orLastAdmin(error: unknown): 'last-admin' {
  if (error instanceof LastAdmin) return 'last-admin';
  throw error;
}

/** For a new password or a removed user: ends sessions, pending logins and links, and forgets failed logins. */
async function endSessionsAndLinks(
  transaction: Handle,
  { id, email }: Pick<User, 'id' | 'email'>,
  keptSession?: string,
): Promise<void> {
  await deleteOtherWebSessions(transaction, id, keptSession);
  await deletePendingLoginsOf(transaction, email);
  await deleteInvitationsOf(transaction, id);
  await deleteFailuresOfAccount(transaction, email);
}

export function makeInvitationStore(database: Database, accountMails: AccountMails): InvitationStore {
  return {
    addUser: (user, invitation, audit) =>
      audited(
        database,
        {
          ...audit,
          action: 'user.invited',
          details: ({ userId: id }) => ({
            ...userDetails({ id, email: user.email }),
            changes: { role: user.role },
          }),
        },
        async (transaction) => {
          const mail = await sealLinkMail(transaction, user.email, invitation, {
            kind: 'invitation',
            ...audit,
          });
          const userId = await insertUser(transaction, user);
          if (userId === undefined) return undefined;
          const passwordDigest = digestHash(user.passwordHash);
          await upsertInvitation(transaction, userId, { ...invitation, passwordDigest, isFirst: true });
          await insertAccountMail(transaction, mail);
          return { userId, isMailed: mail !== undefined };
        },
      ),
    issue: ({ id, email }, invitation, audit) =>
      audited(
        database,
        { ...audit, action: 'user.password-link-made', details: userDetails({ id, email }) },
        async (transaction) => {
          const known = await selectUserByEmail(transaction, email);
          if (!known) return undefined;
          const isFirst = (await selectInvitation(transaction, { userId: id }))?.isFirst ?? false;
          const kind = isFirst ? 'invitation' : 'password-reset';
          const mail = await sealLinkMail(transaction, email, invitation, { kind, ...audit });
          const passwordDigest = digestHash(known.passwordHash);
          await upsertInvitation(transaction, id, { ...invitation, passwordDigest, isFirst });
          await insertAccountMail(transaction, mail);
          return { userId: id, isMailed: mail !== undefined };
        },
      ),
    async issueReset(typed, invitation, audit) {
      // Without a user, nothing is written: a write for every made-up address would slow down all other writes.
      const user = await selectUserByEmail(database.read, typed);
      if (!user || user.passwordHash === NOBODYS_HASH) return;
      const { id, email, passwordHash } = user;
      const countedAs = `password-reset ${id}`;
      const details = userDetails(user);
      await audited(
        database,
        { ...audit, action: 'user.password-link-made', details },
        async (transaction) => {
          const kind = 'password-reset';
          const mail = await sealLinkMail(transaction, email, invitation, { kind, countedAs, ...audit });
          // Locks the user, so that the mails of simultaneous requests are counted one after the other.
          if (!mail || !(await holdUserWithHash(transaction, id, passwordHash))) return false;
          const lately = { fromMs: audit.atMs - RESET_MS, toMs: audit.atMs };
          if ((await countAccountMails(transaction, countedAs, lately)) >= MAX_RESETS) return false;
          // A user who has never set a password is invited by an administrator.
          if ((await selectInvitation(transaction, { userId: id }))?.isFirst) return false;
          const passwordDigest = digestHash(passwordHash);
          await insertResetLink(transaction, id, { ...invitation, passwordDigest, atMs: audit.atMs });
          await insertAccountMail(transaction, mail);
          return true;
        },
      );
    },
    find: (tokenHash) => selectInvitation(database.read, { tokenHash }),
    accept: (tokenHash, { passwordHash, audit }) =>
      database.write(async (transaction) => {
        const found = await selectInvitation(transaction, { tokenHash });
        if (!found) return false;
        const { user, passwordHash: from, isFirst } = found;
        const notice = makeNotice(user.email, 'password', audit);
        // A user who sets the first password knows it anyway.
        const mail = isFirst ? undefined : await accountMails.seal(transaction, notice);
        if (!(await deleteInvitation(transaction, tokenHash))) return false;
        // The link is void if a concurrent request has changed the password.
        if (!(await replaceHash(transaction, user.id, { from, to: passwordHash }))) return false;
        await endSessionsAndLinks(transaction, user);
        await insertAccountMail(transaction, mail);
        const details = userDetails(user);
        await insertAuditEntry(transaction, { ...audit, action: 'user.password-link-used', details });
        return true;
      }),
    list: () => selectInvitations(database.read),
  };

  async function sealLinkMail(
    transaction: Handle,
    to: string,
    { mail, expiresAtMs }: NewInvitation,
    { kind, atMs, countedAs }: { kind: LinkMailKind; atMs: number; countedAs?: string },
  ) {
    if (!mail) return undefined;
    const { token, language } = mail;
    return accountMails.seal(transaction, {
      to,
      mail: { kind, token },
      language,
      expiresAtMs,
      ...(countedAs && { countedAs }),
      occurredAtMs: atMs,
    });
  }
}

export function makeFirstAdminStore(database: Database): FirstAdminStore {
  return {
    isNobodyThere: async () => (await countRows(database.read, 'users')) === 0,
    keepToken: (tokenHash) =>
      database.write((transaction) => upsertSetting(transaction, 'setup_token_hash', tokenHash)),
    isToken: async (tokenHash) => (await selectSetting(database.read, 'setup_token_hash')) === tokenHash,
    add: (user, { tokenHash, ip }) =>
      database.write(async (transaction) => {
        // Of two concurrent requests, only one can delete the set-up token.
        if (!(await deleteSetting(transaction, 'setup_token_hash', tokenHash))) return false;
        if ((await countRows(transaction, 'users')) > 0) return false;
        const id = await insertUser(transaction, user);
        if (id === undefined) return false;
        await insertAuditEntry(transaction, {
          atMs: user.createdAtMs,
          actor: serviceActor('Set-up'),
          action: 'user.added',
          details: userDetails({ id, email: user.email }),
          ip,
        });
        return true;
      }),
  };
}
