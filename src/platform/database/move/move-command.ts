// `gastpass move`: copies an installation from SQLite to PostgreSQL.

import { type Command, CommandFailed, texts, WrongUsage } from '../../cli/command.ts';
import { print, printJson, warnOfReplaced } from '../../cli/print.ts';
import { showProgress } from '../../cli/progress.ts';
import { readSecretOption } from '../../cli/read-secret.ts';
import { expectedDatabaseUrl } from '../../config/database-url.ts';

export const move: Command = {
  name: 'move',
  summary: 'Copy an installation from SQLite to an empty PostgreSQL database and compare both.',
  usage: '--to postgres://… | --to-file FILE',
  help: [
    'Stop the service first. The SQLite database is not changed. If the copy is interrupted, run the same command',
    'again. FILE contains the address, so that its password is not on the command line; - is standard input.',
  ].join('\n'),
  options: texts('to', 'to-file'),
  prints: true,
  async run(args, { configOrRefuse, loadTables }) {
    const url = readSecretOption(args, 'to-file') ?? args.text('to');
    const expected = expectedDatabaseUrl(url ?? '');
    if (!url || expected) throw new WrongUsage(`--to: expected ${expected}`);
    const config = configOrRefuse();
    if (config.database) throw new CommandFailed('this installation is on PostgreSQL already (DATABASE_URL)');

    const { moveInstallationToPostgres } = await import('./move-to-postgres.ts');
    const moved = await moveInstallationToPostgres(config, {
      url,
      tables: await loadTables(),
      onProgress: showProgress,
    });
    warnOfReplaced(moved.reduce((sum, { replaced }) => sum + replaced, 0));
    if (args.has('json')) return printJson(moved.map(({ table, rows }) => ({ table, rows })));
    const rows = moved.reduce((sum, table) => sum + table.rows, 0);
    print(`${rows.toLocaleString('en')} rows in ${moved.length} tables were copied and compared.`);
    print('From now on start every instance with DATABASE_URL set to that address, and with');
    print(
      config.secret
        ? 'the same GASTPASS_SECRET as before.'
        : 'GASTPASS_SECRET_FILE set to the file "secret" of this data folder.',
    );
  },
};
