// `gastpass restore FILE`: restores a backup into an empty installation.

import { join } from 'node:path';
import type { Command } from '../cli/command.ts';
import { countOf, print, printError, printJson, warnOfReplaced } from '../cli/print.ts';
import { showProgress } from '../cli/progress.ts';
import type { Config } from '../config/config.ts';
import { PASSPHRASE_HELP, PASSPHRASE_OPTION, readPassphrase, sayUnproven } from './passphrase-option.ts';
import type { restoreBackup } from './restore-backup.ts';

type OnRestored = Parameters<typeof restoreBackup>[1]['onRestored'];

/** `loadRefill` prepares what writes the vouchers of a simulated controller. */
export const makeRestore = (loadRefill: (dataDir: string) => Promise<OnRestored>): Command => ({
  name: 'restore',
  summary: 'Restore a backup into an empty installation, on SQLite or on PostgreSQL.',
  usage: 'FILE [--passphrase-file FILE]',
  help: [
    'DATA_DIR or DATABASE_URL names the installation, which must not have a database yet. The whole backup is checked',
    'first, and restored completely or not at all. A backup of an older release is migrated. With the passphrase, a',
    'backup that somebody has changed is refused.',
    PASSPHRASE_HELP,
  ].join('\n'),
  options: PASSPHRASE_OPTION,
  positionals: ['file'],
  prints: true,
  async run(args, { configOrRefuse, loadTables }) {
    const file = args.positional(0);
    const config = configOrRefuse();
    const passphrase = readPassphrase(args, config);
    const { restoreBackup } = await import('./restore-backup.ts');
    const restored = await restoreBackup(config, {
      declared: await loadTables(),
      file,
      passphrase,
      onProgress: showProgress,
      onRestored: await loadRefill(config.dataDir),
    });
    const { header, rows, isAuthentic, hasWrittenSecret, replaced } = restored;
    const { madeAt, release, engine } = header;
    warnOfReplaced(replaced);
    const unproven = sayUnproven(restored);
    if (unproven)
      printError(`gastpass: warning: ${unproven}; look at users and API keys before you start the service`);
    if (args.has('json'))
      return printJson({ madeAt, release, engine, rows, secret: hasWrittenSecret, authentic: isAuthentic });
    print(`Restored ${countOf(rows, 'row')} of ${madeAt} (${engine}, release ${release}).`);
    // Also say where the secret is if an interrupted earlier attempt may have written it.
    if (hasWrittenSecret || (config.database && config.secret === undefined)) print(whereTheSecretIs(config));
    print('Now run gastpass verify, then start the service.');
  },
});

function whereTheSecretIs({ dataDir, database }: Config): string {
  const file = join(dataDir, 'secret');
  return database
    ? `The secret is in ${file}: set GASTPASS_SECRET_FILE to this file, for every instance.`
    : `The secret is in ${file}.`;
}
