// The store for the set-up of an installation, and the probe that checks whether the database can be written to.

import type { Database } from '../../platform/database/database.ts';
import {
  countRows,
  insertSettingUnlessThere,
  selectSetting,
  upsertSetting,
} from '../../platform/database/installation-queries.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { toWholeSeconds } from '../../platform/time/clock.ts';
import { serviceActor } from '../audit/actor.ts';
import { siteDetails, userDetails } from '../audit/audit-details.ts';
import { insertAuditEntry } from '../audit/audit-queries.ts';
import { insertKey } from '../keys/key-queries.ts';
import { insertSite } from '../sites/site-queries.ts';
import { insertUser } from '../users/user-queries.ts';
import type { InstallationStore } from './setup.ts';

export function makeInstallationStore(database: Database, seal: Seal): InstallationStore {
  return {
    state: async () => ({
      isSetupDone: (await selectSetting(database.read, 'set_up_at')) !== undefined,
      users: await countRows(database.read, 'users'),
      sites: await countRows(database.read, 'sites'),
      keys: await countRows(database.read, 'api_keys'),
    }),
    setup: ({ admin, site, key, atMs, isFirst }) =>
      database
        .write(async (transaction) => {
          const at = String(toWholeSeconds(atMs));
          const isNew = await insertSettingUnlessThere(transaction, 'set_up_at', at);
          if (isFirst && !isNew) throw new SetupByOthers();
          const adminId = admin && (await insertUser(transaction, admin));
          if (admin && adminId === undefined) throw new SetupByOthers();
          const siteId = site && (await insertSite(transaction, seal, { ...site, createdAtMs: atMs }));
          if (key) await insertKey(transaction, key);
          await insertAuditEntry(transaction, {
            atMs,
            actor: serviceActor('Set-up'),
            action: 'installation.set-up',
            details: {
              ...(admin && adminId && userDetails({ id: adminId, email: admin.email })),
              ...(site && siteId && siteDetails(siteId, site.name)),
              ...(key && { key: { id: key.id, name: key.name } }),
            },
          });
          return siteId === undefined ? {} : { siteId };
        })
        .catch((error) => {
          if (error instanceof SetupByOthers) return undefined;
          throw error;
        }),
  };
}

class SetupByOthers extends Error {}

export function makeWriteProbe(database: Database, clock: { nowMs(): number }): () => Promise<void> {
  return () =>
    database.write((transaction) => upsertSetting(transaction, 'last_probe', String(clock.nowMs())));
}

/** Tries a write and rolls it back. Also fails if the disk has room only for a small write. */
export function makeTryWrite(database: Database): () => Promise<void> {
  return () =>
    database
      .write(async (transaction) => {
        await upsertSetting(transaction, 'last_probe', '0');
        await database.needDisk(transaction);
        throw new RolledBack();
      })
      .catch((error) => {
        if (!(error instanceof RolledBack)) throw error;
      });
}

class RolledBack extends Error {}
