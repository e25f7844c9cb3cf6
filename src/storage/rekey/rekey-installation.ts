// Changes the secret of an installation while services run on it. A configured secret takes effect with the
// transaction. For the secret in the data folder, the new secret is stored before the transaction and renamed after it,
// so that at every moment the files contain the secret of the database.

import type { AuditContext } from '../../domain/audit/audit-log.ts';
import { systemClock } from '../../domain/clock.ts';
import { expectFile, openStorage, type Place } from '../open-storage.ts';
import { makeSeal } from '../seal.ts';
import { adoptDraft, makeDraft, readOrMakeSecret } from '../secret-file.ts';
import { lockForRekey } from '../service-lock.ts';
import { finishRename } from './finish-rename.ts';
import { renewSealedValues } from './rekey.ts';

/** Returns the number of values that were sealed anew. */
export function rekeyInstallation(place: Place, audit: AuditContext): Promise<number> {
  return place.secret === undefined && !place.database ? rekeyFile(place, audit) : rekeyTo(place, audit);
}

async function rekeyTo(place: Place, audit: AuditContext): Promise<number> {
  await using storage = await openStorage(place, systemClock, 'expect');
  return await renewSealedValues(storage.database, storage.seal, audit);
}

async function rekeyFile(place: Place, audit: AuditContext): Promise<number> {
  const { dataDir } = place;
  expectFile(dataDir);
  using _lock = lockForRekey(dataDir);
  await using storage = await openStorage(place, systemClock, 'expect');
  const { database } = storage;
  await finishRename(dataDir, database);
  const previous = readOrMakeSecret(dataDir, false);
  const seal = makeSeal(makeDraft(dataDir), { previous });
  const count = await renewSealedValues(database, seal, audit);
  adoptDraft(dataDir);
  return count;
}
