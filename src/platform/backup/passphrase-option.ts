// Reads the passphrase of a backup, and explains why a backup could not be proven to be unchanged.

import { type Arguments, texts, WrongUsage } from '../cli/command.ts';
import { readSecretOption } from '../cli/read-secret.ts';
import type { Config } from '../config/config.ts';

export const PASSPHRASE_OPTION = texts('passphrase-file');
export const PASSPHRASE_HELP =
  'The passphrase is read from FILE; - is standard input. Without the option, the setting BACKUP_PASSPHRASE is used.';

/** Undefined if there is no passphrase. */
export function readPassphrase(args: Arguments, { backup }: Pick<Config, 'backup'>): string | undefined {
  const passphrase = readSecretOption(args, 'passphrase-file');
  if (passphrase === undefined) return backup.passphrase;
  if (passphrase === '') throw new WrongUsage('--passphrase-file: the passphrase is empty');
  return passphrase;
}

interface Backup {
  isAuthentic: boolean;
  header: { secret: object | null; formatVersion: number };
}

/** Returns undefined if the backup is proven to be unchanged. */
export function sayUnproven({ isAuthentic, header }: Backup): string | undefined {
  if (isAuthentic) return undefined;
  return `nothing proves that this backup is unchanged, because ${reasonOf(header)}: anyone who could change the file could have changed accounts and keys in it`;
}

function reasonOf({ secret, formatVersion }: Backup['header']): string {
  if (secret === null) return 'it was made without a passphrase';
  return formatVersion === 1 ? 'an earlier release made it' : 'no passphrase was given';
}
