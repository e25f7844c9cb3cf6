// Moves the data of another tool into an installation without sites of its own, in one transaction. A dry run does the
// same and is rolled back.

import { sql } from 'kysely';
import type { AuditContext } from '../../../kernel/audit/audit-log.ts';
import { asSiteId } from '../../../kernel/ids.ts';
import { insertProfile } from '../../../kernel/profiles/profile-queries.ts';
import type { Handle } from '../../../platform/database/database.ts';
import { insertSettingUnlessThere } from '../../../platform/database/installation-queries.ts';
import { openStorage, type Storage, type StorageLocation } from '../../../platform/database/open-storage.ts';
import type { Seal } from '../../../platform/secrets/seal.ts';
import { systemClock, toWholeSeconds } from '../../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../../platform/values/result.ts';
import { MOVED_IN_TABLES, type MovedInData, type MovedInTable } from '../moved-in-data.ts';
import { planMoveIn } from '../plan-move-in.ts';
import type { MoveInRefusal, MoveInReport, Remarks } from '../report.ts';
import { continueIdsAfterInsert, holdNewIds, insertEntries, insertLastEntry } from './audit-queries.ts';
import { insertKeys, selectKeysForAll, takeSitesFromKeys } from './key-queries.ts';
import { findNamingRule, insertSites, removeUnusedDemos, selectOwnSites } from './site-queries.ts';
import { insertUsers } from './user-queries.ts';
import { insertVouchers } from './voucher-queries.ts';

/** On PostgreSQL a statement may take long, to renumber a large audit log or to wait for a running service. */
const NO_TIMEOUT = 0;

export interface MoveInInput {
  data: MovedInData;
  remarks: Remarks;
  /** If true, everything is rolled back at the end. */
  isDryRun: boolean;
  audit: AuditContext;
}

type MoveInResult = Result<MoveInReport, MoveInRefusal>;

/** Thrown to roll back the transaction. Carries the result for the caller. */
class RolledBack extends Error {
  readonly result: MoveInResult;
  constructor(result: MoveInResult) {
    super('the move was rolled back');
    this.result = result;
  }
}

/** Can be called while the service is running. */
export async function moveIntoInstallation(
  place: StorageLocation,
  input: MoveInInput,
): Promise<MoveInResult> {
  const database = place.database && { ...place.database, statementTimeoutMs: NO_TIMEOUT };
  await using storage = await openStorage({ ...place, database }, systemClock, 'expect');
  return await moveIn(storage, input);
}

export async function moveIn(
  { database, seal }: Pick<Storage, 'database' | 'seal'>,
  input: MoveInInput,
): Promise<MoveInResult> {
  const isServer = database.writeAtOnce !== undefined;
  try {
    return ok(await database.write((transaction) => write(transaction, { ...input, seal, isServer })));
  } catch (error) {
    if (error instanceof RolledBack) return error.result;
    throw error;
  }
}

async function write(
  transaction: Handle,
  { seal, isServer, ...input }: MoveInInput & { seal: Seal; isServer: boolean },
): Promise<MoveInReport> {
  const { data, audit, isDryRun } = input;
  // PostgreSQL repeats a transaction after a deadlock. A copy for each attempt keeps remarks from being counted twice.
  const remarks = input.remarks.copy();
  const plan = planMoveIn(data, remarks);
  if (isServer) {
    // The transaction is idle while the dump is read. For a large dump, that takes longer than the usual time-out.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
    await holdNewIds(transaction);
  }
  const listVersion = await makeRoom(transaction, input, plan.sites);
  const siteIds = plan.sites.map(({ id }) => asSiteId(id));
  for (const name of await takeSitesFromKeys(transaction, siteIds))
    remarks.add(
      'api_keys',
      'a key of this installation was bound to a removed demo: it has no sites now',
      name,
    );
  for (const name of await selectKeysForAll(transaction))
    remarks.add(
      'api_keys',
      'a key of this installation works for the moved sites too: revoke it if it was only for trying out',
      name,
    );
  await insertSites(transaction, seal, { sites: plan.sites, listVersion, atMs: audit.atMs });
  const users = await insertUsers(transaction, seal, { ...plan, remarks, atMs: audit.atMs });
  for (const profile of data.profiles) await insertProfile(transaction, { ...profile, siteIds: [] });
  await insertKeys(transaction, plan.keys, audit.atMs);
  const known = { siteIds: new Set<number>(siteIds), users: users.known };
  const vouchers = await insertVouchers(transaction, { data, ...known, remarks, atMs: audit.atMs });
  const entries = await insertEntries(transaction, { data, users: users.known, atMs: audit.atMs });
  const taken: Record<MovedInTable, number> = {
    sites: plan.sites.length,
    users: users.added,
    user_site_access: users.grants,
    voucher_templates: data.profiles.length,
    api_keys: plan.keys.length,
    vouchers,
    audit_log: entries,
  };
  await insertLastEntry(transaction, {
    ...audit,
    action: 'installation.moved-in',
    details: { counts: countsOf(taken) },
  });
  if (isServer && !isDryRun) await continueIdsAfterInsert(transaction, ['sites', 'audit']);
  const tables = MOVED_IN_TABLES.map((table) => ({ table, found: data.found[table], taken: taken[table] }));
  const report = { tables, remarks: remarks.list() };
  if (isDryRun) throw new RolledBack(ok(report));
  return report;
}

/**
 * Returns the first list version of the new sites. The list of a removed site with the same id may still be cached, so
 * the version must not have been used before.
 */
async function makeRoom(
  transaction: Handle,
  { audit: { atMs } }: MoveInInput,
  sites: { id: number }[],
): Promise<number> {
  if (!(await insertSettingUnlessThere(transaction, 'moved_in_at', String(toWholeSeconds(atMs)))))
    throw new RolledBack(fail({ kind: 'moved-in-already' }));
  // Mark the installation as set up, so that the next start adds no demo.
  await insertSettingUnlessThere(transaction, 'set_up_at', String(toWholeSeconds(atMs)));
  const own = await selectOwnSites(transaction);
  if (own.length > 0) throw new RolledBack(fail({ kind: 'has-sites', sites: own }));
  const ids = sites.map(({ id }) => id);
  const siteId = await findNamingRule(transaction, ids);
  if (siteId !== undefined) throw new RolledBack(fail({ kind: 'rule-names-site', siteId }));
  return removeUnusedDemos(transaction);
}

function countsOf(taken: Record<MovedInTable, number>): Record<string, number> {
  return {
    movedSites: taken.sites,
    users: taken.users,
    profiles: taken.voucher_templates,
    keys: taken.api_keys,
    vouchers: taken.vouchers,
    audit: taken.audit_log,
  };
}
