// `gastpass migrate`: creates the database or brings its schema to this release, as the start of the service does.

import { type Command, CommandFailed, switches } from '../cli/command.ts';
import { print, printJson } from '../cli/print.ts';

export const migrate: Command = {
  name: 'migrate',
  summary: 'Create the database, or bring its schema to this release.',
  usage: '[--check]',
  help: [
    'The service does the same when it starts. Back up first. On SQLite the service must not run meanwhile.',
    '--check changes nothing: it lists the migrations that would run, with the disk space that they need on SQLite,\nand exits with 1 if there are any.',
  ].join('\n'),
  options: switches('check'),
  prints: true,
  async run(args, { configOrRefuse }) {
    const config = configOrRefuse();
    const isCheck = args.has('check');
    const { estimateMigrations, findMigrations, migrateInstallation } = await import('./open-storage.ts');
    const { sayMigrated } = await import('./schema-version.ts');
    const { found, missing } = await findMigrations(config);
    const needed = isCheck && missing.length > 0 ? estimateMigrations(config) : undefined;
    const migrated = !isCheck && missing.length > 0 ? await migrateInstallation(config) : undefined;
    if (args.has('json'))
      printJson({
        found,
        migrations: missing.map(({ version, adds }) => ({ version, adds })),
        ...(needed !== undefined && { needed_bytes: needed }),
        ...(migrated && { migrated }),
      });
    else {
      print(toSentence(found, missing.length, isCheck));
      for (const { version, adds } of missing) print(`  ${version}  ${adds}`);
      if (needed !== undefined)
        print(`They need up to ${Math.ceil(needed / 1_000_000)} MB on the disk of ${config.dataDir}.`);
      if (migrated) print(`Done: ${sayMigrated(migrated)}.`);
    }
    if (isCheck && missing.length > 0) throw new CommandFailed('the database has to be migrated');
  },
};

function toSentence(found: number, count: number, isCheck: boolean): string {
  if (count === 0) return `The schema is up to date (version ${found}).`;
  const before = found === 0 ? 'There was no database.' : `The schema had version ${found}.`;
  const now = found === 0 ? 'There is no database.' : `The schema has version ${found}.`;
  return isCheck ? `${now} These migrations would run:` : `${before} These migrations ran:`;
}
