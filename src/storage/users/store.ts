// The stores for users and for the first administrator.

import { serviceActor } from '../../domain/audit/actor.ts';
import type { FirstAdminStore } from '../../domain/users/first-admin.ts';
import type { UserStore } from '../../domain/users/user.ts';
import { audited } from '../audit/audited.ts';
import { insertAuditEntry } from '../audit/queries.ts';
import type { Database } from '../database.ts';
import { deleteFailuresOfAccount, deleteOtherWebSessions } from '../sessions/queries.ts';
import { countRows, deleteSetting, selectSetting, upsertSetting } from '../settings/installation-queries.ts';
import {
  countAdmins,
  holdAdmins,
  insertUser,
  replaceHash,
  replaceSites,
  selectAllSiteIds,
  selectSiteIdsOf,
  selectUserByEmail,
  selectUsers,
  updatePassword,
  updateUser,
} from './queries.ts';
import { deletePendingLoginsOf } from './second-factor-queries.ts';

export function makeUserStore(database: Database): UserStore {
  return {
    add: (user, by) =>
      audited(
        database,
        { ...by, action: 'user.added', subject: `${user.email} (${user.role})` },
        async (transaction) => {
          const id = await insertUser(transaction, user);
          if (id !== undefined && user.siteIds) await replaceSites(transaction, id, user.siteIds);
          return id;
        },
      ),
    list: () => selectUsers(database.read),
    siteIdsOf: (id) => selectSiteIdsOf(database.read, id),
    listSiteIds: () => selectAllSiteIds(database.read),
    change: (id, change, audit) =>
      database
        .write(async (transaction) => {
          const isLess = change.role === 'operator' || change.active === false;
          if (isLess) await holdAdmins(transaction);
          const before = isLess ? await countAdmins(transaction) : 0;
          const email = await updateUser(transaction, id, change);
          if (email === undefined) return 'unknown';
          if (before > 0 && (await countAdmins(transaction)) === 0) throw new LastAdmin();
          if (change.siteIds) await replaceSites(transaction, id, change.siteIds);
          if (change.active === false) {
            await deleteOtherWebSessions(transaction, id);
            await deletePendingLoginsOf(transaction, email);
          }
          const subject = `${email}: ${JSON.stringify(change)}`;
          await insertAuditEntry(transaction, { ...audit, action: 'user.changed', subject });
          return 'changed';
        })
        .catch((error) => {
          if (error instanceof LastAdmin) return 'last-admin';
          throw error;
        }),
    findByEmail: (email) => selectUserByEmail(database.read, email),
    unlock: (email, audit) =>
      audited(database, { ...audit, action: 'user.unlocked', subject: email }, async (transaction) => {
        if (!(await selectUserByEmail(transaction, email))) return false;
        await deleteFailuresOfAccount(transaction, email);
        return true;
      }),
    renewHash: (id, hashes) => database.write((transaction) => replaceHash(transaction, id, hashes)),
    setPassword: (email, { passwordHash, keptSession, audit }) =>
      audited(database, { ...audit, action: 'user.password-reset', subject: email }, async (transaction) => {
        const id = await updatePassword(transaction, email, passwordHash);
        if (id === undefined) return false;
        await deleteOtherWebSessions(transaction, id, keptSession);
        await deletePendingLoginsOf(transaction, email);
        await deleteFailuresOfAccount(transaction, email);
        return true;
      }),
  };
}

class LastAdmin extends Error {}

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
        if ((await countRows(transaction, 'users')) > 0 || !(await insertUser(transaction, user)))
          return false;
        const { createdAtMs: atMs, email: subject } = user;
        await insertAuditEntry(transaction, {
          atMs,
          actor: serviceActor('Set-up'),
          action: 'user.added',
          subject,
          ip,
        });
        return true;
      }),
  };
}
