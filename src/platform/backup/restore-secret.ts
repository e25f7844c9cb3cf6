// Finds the secret that a restored database needs: the configured one, the one in the data folder, or the one in the
// backup.

import type { StorageLocation } from '../database/open-storage.ts';
import { fitsCheck } from '../secrets/secret-check.ts';
import { readSecrets } from '../secrets/secret-file.ts';
import { WrongConfiguration } from '../values/wrong-configuration.ts';
import type { ReadBackup } from './read-backup.ts';

interface Backup extends Pick<ReadBackup, 'header'> {
  /** The check value of the backup; undefined if no service has used the database yet. */
  check: string | undefined;
  /** The secret from the backup; undefined if no passphrase was given or the backup contains no secret. */
  unwrapped: string | undefined;
}

/** Returns the secret that has to be written into the data folder; undefined if the installation has it already. */
export function findMissingSecret({ dataDir, secret }: StorageLocation, backup: Backup): string | undefined {
  const { header, check, unwrapped } = backup;
  const isRight = (candidate: string) => check === undefined || fitsCheck(candidate, check);
  const known = secret === undefined ? readSecrets(dataDir) : [secret];
  if (known.some(isRight)) return undefined;

  const name = secret === undefined ? `${dataDir}/secret` : 'GASTPASS_SECRET';
  if (known.length > 0)
    throw new WrongConfiguration(
      header.secret
        ? `${name} is not the secret of this backup: ${secret === undefined ? 'move it away' : 'unset it'}, and the secret in the backup is used`
        : `${name} is not the secret of this backup, and the backup does not contain it: put the right one there`,
    );
  if (!header.secret)
    throw new WrongConfiguration(
      `this backup does not contain the installation's secret: set GASTPASS_SECRET to it, or put the file "secret" into ${dataDir}`,
    );
  if (unwrapped === undefined)
    throw new WrongConfiguration(
      'this backup contains the secret, wrapped with a passphrase: name the file with the passphrase with --passphrase-file FILE (- is standard input)',
    );
  if (!isRight(unwrapped)) throw new WrongConfiguration('the secret in this backup does not fit its data');
  return unwrapped;
}
