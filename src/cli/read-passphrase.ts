// Reads the passphrase of a backup: from the file that `--passphrase-file` names, or from the settings.

import type { Config } from '../config/config.ts';
import { type Arguments, WrongUsage } from './command.ts';
import { readSecretOption } from './read-secret.ts';

export const PASSPHRASE_OPTION = { 'passphrase-file': { type: 'string' } } as const;
export const PASSPHRASE_HELP =
  'The passphrase is read from FILE; - is standard input. Without the option, the setting BACKUP_PASSPHRASE is used.';

/** Undefined if there is no passphrase. */
export function readPassphrase(args: Arguments, { backup }: Pick<Config, 'backup'>): string | undefined {
  const passphrase = readSecretOption(args, 'passphrase-file');
  if (passphrase === undefined) return backup.passphrase;
  if (passphrase === '') throw new WrongUsage('--passphrase-file: the passphrase is empty');
  return passphrase;
}
