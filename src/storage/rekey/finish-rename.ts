// Finishes a rekey that was interrupted after the database had been changed: the draft becomes the secret file.

import type { Database } from '../database.ts';
import { fitsCheck } from '../secret-check.ts';
import { adoptNextSecret, readNextSecret } from '../secret-file.ts';
import { AlreadyRekeying, lockForRekey } from '../service-lock.ts';
import { selectSetting } from '../settings/installation-queries.ts';

/** If a rekey is running, it renames the draft itself. */
export async function finishInterruptedRekey(dataDir: string, database: Database): Promise<void> {
  if (readNextSecret(dataDir) === undefined) return;
  try {
    using _lock = lockForRekey(dataDir);
    await finishRename(dataDir, database);
  } catch (error) {
    if (!(error instanceof AlreadyRekeying)) throw error;
  }
}

/** Only for the holder of the lock. A draft that the database does not use is left for the next rekey, which replaces it. */
export async function finishRename(dataDir: string, database: Database): Promise<void> {
  const nextSecret = readNextSecret(dataDir);
  const check = await selectSetting(database.read, 'secret_check');
  if (nextSecret !== undefined && check !== undefined && fitsCheck(nextSecret, check))
    adoptNextSecret(dataDir);
}
