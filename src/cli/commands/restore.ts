// `gastpass restore FILE`: restores a backup into an empty installation.

import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { type Command, positional } from '../command.ts';
import { countOf, printJson, warnOfReplaced } from '../print.ts';
import { showProgress } from '../progress.ts';
import { PASSPHRASE_HELP, PASSPHRASE_OPTION, readPassphrase } from '../read-passphrase.ts';
import { configOrRefuse } from '../with-installation.ts';

export const restore: Command = {
  name: 'restore',
  summary: 'Restore a backup into an empty installation, on SQLite or on PostgreSQL.',
  usage: 'FILE [--passphrase-file FILE]',
  help: [
    'DATA_DIR or DATABASE_URL names the installation, which must not have a database yet. The whole backup is checked',
    'first, and restored completely or not at all. A backup of an older release is migrated.',
    PASSPHRASE_HELP,
  ].join('\n'),
  options: PASSPHRASE_OPTION,
  positionals: ['file'],
  prints: true,
  async run(args) {
    const file = positional(args, 0);
    const config = configOrRefuse();
    const passphrase = readPassphrase(args, config);
    const { restoreBackup } = await import('../../app/maintenance.ts');
    const { header, rows, hasWrittenSecret, replaced } = await restoreBackup(config, {
      file,
      passphrase,
      onProgress: showProgress,
    });
    const { madeAt, release, engine } = header;
    warnOfReplaced(replaced);
    if (args.values.json) return printJson({ madeAt, release, engine, rows, secret: hasWrittenSecret });
    console.log(`Restored ${countOf(rows, 'row')} of ${madeAt} (${engine}, release ${release}).`);
    if (hasWrittenSecret) console.log(whereTheSecretIs(config));
    console.log('Now run gastpass verify, then start the service.');
  },
};

function whereTheSecretIs({ dataDir, database }: Config): string {
  const file = join(dataDir, 'secret');
  return database
    ? `The secret is in ${file}: set GASTPASS_SECRET_FILE to this file, for every instance.`
    : `The secret is in ${file}.`;
}
