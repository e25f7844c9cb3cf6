// Changes the secret of an installation while services run on it. One transaction seals all values anew, under the new
// secret and bound to their rows. Another function counts the values that still have to be sealed anew.

import type { Database, Handle } from '../../platform/database/database.ts';
import { holdSetting, selectSetting } from '../../platform/database/installation-queries.ts';
import { expectFile, openStorage, type StorageLocation } from '../../platform/database/open-storage.ts';
import { lockForRekey } from '../../platform/database/service-lock.ts';
import type { TableDeclarations } from '../../platform/database/tables/table-declarations.ts';
import { refuseUnknownRows } from '../../platform/database/tables/unknown-tables.ts';
import { finishRename } from '../../platform/rekey/finish-rename.ts';
import { CannotOpen, canOpen, makeSeal, type Seal } from '../../platform/secrets/seal.ts';
import {
  CHECK_PLACE,
  deleteReplaceable,
  type StoredValue,
  selectSealedValues,
  updateSealedValue,
} from '../../platform/secrets/sealed-columns.ts';
import { adoptNextSecret, makeNextSecret, readOrMakeSecret } from '../../platform/secrets/secret-file.ts';
import { systemClock } from '../../platform/time/clock.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import { insertAuditEntry } from '../audit/audit-queries.ts';
import type { SealedTally } from '../health/judge-secrets.ts';

interface Rekey {
  tables: TableDeclarations;
  audit: AuditContext;
}

/** Returns the number of values that were sealed anew. */
export function rekeyInstallation(place: StorageLocation, how: Rekey): Promise<number> {
  return place.secret === undefined && !place.database ? rekeyFile(place, how) : rekeyTo(place, how);
}

/** For a configured secret. No file is written: the new secret takes effect when the transaction commits. */
async function rekeyTo(place: StorageLocation, how: Rekey): Promise<number> {
  await using storage = await openStorage(place, systemClock, 'expect');
  return await renewSealedValues(storage.database, storage.seal, how);
}

/**
 * A draft file with the new secret is written before the transaction, and renamed after it. So at every moment the data
 * folder contains the secret that the database uses.
 */
async function rekeyFile(place: StorageLocation, how: Rekey): Promise<number> {
  const { dataDir } = place;
  expectFile(dataDir);
  using _lock = lockForRekey(dataDir);
  await using storage = await openStorage(place, systemClock, 'expect');
  const { database } = storage;
  await finishRename(dataDir, database);
  const previous = readOrMakeSecret(dataDir, false);
  const seal = makeSeal(makeNextSecret(dataDir), { previous });
  const count = await renewSealedValues(database, seal, how);
  adoptNextSecret(dataDir);
  return count;
}

/** Returns the number of values that were sealed anew. */
export function renewSealedValues(database: Database, seal: Seal, { tables, audit }: Rekey): Promise<number> {
  return database.write(async (transaction) => {
    // Lock the check value. Other processes that seal a value wait for this lock until the transaction ends.
    const check = await holdSetting(transaction, 'secret_check');
    await refuseUnknownRows(transaction, { isServer: database.writeAtOnce !== undefined, tables });
    let count = 0;
    for (const value of await allValues(transaction, tables, check)) {
      const { place, sealed, replaceable } = value;
      if (replaceable && !canOpen(seal, sealed, place)) {
        await deleteReplaceable(transaction, value);
        continue;
      }
      const { isCurrent, isBound } = seal.inspect(sealed, place);
      if (isCurrent && isBound) continue;
      await updateSealedValue(transaction, value, seal.renew(sealed, place));
      count++;
    }
    if (count > 0)
      await insertAuditEntry(transaction, {
        ...audit,
        action: 'installation.rekeyed',
        details: { count },
      });
    return count;
  });
}

export async function tallySealedValues(
  database: Database,
  seal: Seal,
  tables: TableDeclarations,
): Promise<SealedTally> {
  const check = await selectSetting(database.read, 'secret_check');
  const values = await allValues(database.read, tables, check);
  const tally: SealedTally = { count: values.length, needPrevious: 0, unbound: 0, broken: [] };
  for (const { place, sealed } of values)
    try {
      const { isCurrent, isBound } = seal.inspect(sealed, place);
      if (!isCurrent) tally.needPrevious++;
      if (!isBound) tally.unbound++;
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error;
      tally.broken.push(error.message);
    }
  return tally;
}

async function allValues(
  handle: Handle,
  tables: TableDeclarations,
  check: string | undefined,
): Promise<StoredValue[]> {
  const values = await selectSealedValues(handle, tables);
  return check === undefined ? values : [{ place: CHECK_PLACE, sealed: check, key: 'name' }, ...values];
}
