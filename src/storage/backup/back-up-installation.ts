// Backs up an installation for the command line: checks the database and its secret first, as the service does when it
// starts.

import type { Writable } from 'node:stream';
import { systemClock } from '../../domain/clock.ts';
import { openStorage, type Place } from '../open-storage.ts';
import { type BackupOrder, backUp, backUpToFile, type MadeBackup } from './create-backup.ts';

/** @param target a file that does not exist yet, or a stream */
export async function backUpInstallation(
  place: Place,
  target: string | Writable,
  order: BackupOrder,
): Promise<Partial<MadeBackup>> {
  const { database } = await openStorage(place, systemClock, 'expect');
  await database.close();
  return typeof target === 'string'
    ? backUpToFile(place, target, order)
    : { rows: await backUp(place, target, order) };
}
