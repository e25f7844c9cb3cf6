// The domain's smaller stores on a database: keys, sites, people and the installation itself.

import { toWholeSeconds } from '../domain/clock.ts';
import type { KeyStore } from '../domain/keys/key-store.ts';
import type { LeaseStore } from '../domain/leases.ts';
import type { InstallationStore } from '../domain/set-up.ts';
import type { ControllerSessions } from '../domain/sites/controller-access.ts';
import type { SiteStore } from '../domain/sites/site.ts';
import type { UserStore } from '../domain/users/user.ts';
import { insertAuditEntry, siteInAudit } from './audit-queries.ts';
import { audited } from './audited.ts';
import { makeCachedRead } from './cached-read.ts';
import type { Database } from './database.ts';
import { countRows, insertSettingUnlessThere, selectSetting, upsertSetting } from './installation-queries.ts';
import {
  insertKey,
  markKeyRevoked,
  selectKey,
  selectKeys,
  updateKey,
  updateLastUsed,
} from './key-queries.ts';
import { deleteLease, deleteLeases, upsertLease } from './lease-queries.ts';
import type { Seal } from './seal.ts';
import { deleteHalfSignInsOf } from './second-factor-queries.ts';
import { selectSession, upsertSession } from './session-queries.ts';
import {
  deleteUnusedSite,
  hasTraces,
  insertSite,
  selectSite,
  selectSites,
  updateSite,
} from './site-queries.ts';
import {
  countAdmins,
  holdAdmins,
  insertUser,
  replaceSites,
  selectAllSiteIds,
  selectSiteIdsOf,
  selectUserByEmail,
  selectUsers,
  updatePassword,
  updateUser,
} from './user-queries.ts';
import { deleteOtherWebSessions } from './web-session-queries.ts';

export function makeKeyStore(database: Database): KeyStore {
  return {
    find: makeCachedRead(database, (id) => selectKey(database.read, id)),
    list: () => selectKeys(database.read),
    add: (key, by) =>
      audited(
        database,
        { ...by, action: 'key.created', subject: `${key.id}: ${key.name}` },
        async (transaction) => {
          await insertKey(transaction, key);
          return true;
        },
      ).then(() => undefined),
    change: (id, change, audit) =>
      audited(
        database,
        { ...audit, action: 'key.changed', subject: `${id}: ${JSON.stringify(change)}` },
        (transaction) => updateKey(transaction, id, change),
      ),
    revoke: (id, audit) =>
      audited(database, { ...audit, action: 'key.revoked', subject: id }, (transaction) =>
        markKeyRevoked(transaction, id, audit.atMs),
      ),
    saveLastUsed: (lastUsedAtMs) =>
      database.write(async (transaction) => {
        for (const [id, atMs] of lastUsedAtMs) await updateLastUsed(transaction, id, atMs);
      }),
  };
}

export function makeSiteStore(database: Database, seal: Seal): SiteStore {
  const find = makeCachedRead(database, (id: Parameters<SiteStore['find']>[0]) =>
    selectSite(database.read, seal, id),
  );
  return {
    find,
    findActive: async (id) => {
      const site = await find(id);
      return site?.active ? site : undefined;
    },
    list: () => selectSites(database.read, seal),
    listActive: async () => (await selectSites(database.read, seal)).filter((site) => site.active),
    add: (site, audit) =>
      database.write(async (transaction) => {
        const id = await insertSite(transaction, seal, { ...site, createdAtMs: audit.atMs });
        const subject = siteInAudit(id, site.name);
        await insertAuditEntry(transaction, { ...audit, action: 'site.added', subject });
        return id;
      }),
    change: (id, change, audit) =>
      database.write(async (transaction) => {
        const name = await updateSite(transaction, seal, { id, change });
        if (name === undefined) return false;
        const subject = `${siteInAudit(id, name)}: ${Object.keys(change).join(', ')}`;
        await insertAuditEntry(transaction, { ...audit, action: 'site.changed', subject });
        return true;
      }),
    hasTraces: (id) => hasTraces(database.read, id),
    remove: (id, audit) =>
      database.write(async (transaction) => {
        const name = await deleteUnusedSite(transaction, id);
        if (name === undefined) return false;
        const subject = siteInAudit(id, name);
        await insertAuditEntry(transaction, { ...audit, action: 'site.removed', subject });
        return true;
      }),
  };
}

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
            await deleteHalfSignInsOf(transaction, email);
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
    setPassword: (email, passwordHash, audit) =>
      audited(database, { ...audit, action: 'user.password-reset', subject: email }, async (transaction) => {
        await deleteHalfSignInsOf(transaction, email);
        return updatePassword(transaction, email, passwordHash);
      }),
  };
}

export function makeInstallationStore(database: Database, seal: Seal): InstallationStore {
  return {
    state: async () => ({
      isSetUp: (await selectSetting(database.read, 'set_up_at')) !== undefined,
      users: await countRows(database.read, 'users'),
      sites: await countRows(database.read, 'sites'),
      keys: await countRows(database.read, 'api_keys'),
    }),
    setUp: ({ admin, site, key, atMs, isFirst }) =>
      database
        .write(async (transaction) => {
          const at = String(toWholeSeconds(atMs));
          const isNew = await insertSettingUnlessThere(transaction, 'set_up_at', at);
          if (isFirst && !isNew) throw new SetUpByOthers();
          await insertAuditEntry(transaction, {
            atMs,
            actor: 'Set-up',
            action: 'installation.set-up',
            subject: [admin?.email, site?.name, key?.id].filter(Boolean).join(', '),
          });
          if (admin && !(await insertUser(transaction, admin))) throw new SetUpByOthers();
          if (key) await insertKey(transaction, key);
          return site ? { siteId: await insertSite(transaction, seal, { ...site, createdAtMs: atMs }) } : {};
        })
        .catch((error) => {
          if (error instanceof SetUpByOthers) return undefined;
          throw error;
        }),
  };
}

/** Undoes a change that would leave nobody to administer. */
class LastAdmin extends Error {}

/** Undoes the set-up of whoever was slower. */
class SetUpByOthers extends Error {}

export function makeControllerSessions(database: Database, seal: Seal): ControllerSessions {
  return {
    async load(address) {
      const sealed = await selectSession(database.read, address);
      return sealed === undefined ? undefined : seal.open(sealed);
    },
    save: (address, session) =>
      database.write((transaction) => upsertSession(transaction, address, seal.seal(session))),
  };
}

export function makeLeaseStore(database: Database): LeaseStore {
  return {
    take: (name, holder, forMs) =>
      database.write((transaction) => upsertLease(transaction, { name, holder, forMs }, database.now())),
    release: (name, holder) => database.write((transaction) => deleteLease(transaction, name, holder)),
    releaseAll: () => database.write((transaction) => deleteLeases(transaction)),
  };
}

/** Throws when the database cannot be written to. */
export function makeWriteProbe(database: Database, clock: { nowMs(): number }): () => Promise<void> {
  return () =>
    database.write((transaction) => upsertSetting(transaction, 'last_probe', String(clock.nowMs())));
}
