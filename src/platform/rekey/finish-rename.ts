// Finishes a rekey that was interrupted after the database had been changed. Renames the draft, which contains the new
// secret, to the secret file.

import type { Database } from '../database/database.ts';
import { selectSetting } from '../database/installation-queries.ts';
import { AlreadyRekeying, lockForRekey } from '../database/service-lock.ts';
import { fitsCheck } from '../secrets/secret-check.ts';
import { adoptNextSecret, readNextSecret } from '../secrets/secret-file.ts';

/** Does nothing while a rekey is running, because the rekey renames the draft itself. */
export async function finishInterruptedRekey(dataDir: string, database: Database): Promise<void> {
  if (readNextSecret(dataDir) === undefined) return;
  try {
    using _lock = lockForRekey(dataDir);
    await finishRename(dataDir, database);
  } catch (error) {
    if (!(error instanceof AlreadyRekeying)) throw error;
  }
}

/** The caller must hold the rekey lock. A draft that the database does not use stays until a rekey replaces it. */
export async function finishRename(dataDir: string, database: Database): Promise<void> {
  const nextSecret = readNextSecret(dataDir);
  const check = await selectSetting(database.read, 'secret_check');
  if (nextSecret !== undefined && check !== undefined && fitsCheck(nextSecret, check))
    adoptNextSecret(dataDir);
}
