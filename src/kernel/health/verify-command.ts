// `gastpass verify [FILE]`: checks the data of the installation, or a backup.

import {
  PASSPHRASE_HELP,
  PASSPHRASE_OPTION,
  readPassphrase,
  sayUnproven,
} from '../../platform/backup/passphrase-option.ts';
import {
  type Arguments,
  type Command,
  CommandFailed,
  type CommandTools,
} from '../../platform/cli/command.ts';
import { countOf, print, printJson } from '../../platform/cli/print.ts';

export const verify: Command = {
  name: 'verify',
  summary: 'Check the database, its sealed values and the vouchers on the controllers; or check a backup.',
  usage: '[FILE [--passphrase-file FILE]]',
  help: [
    'Changes nothing. With FILE it checks whether that backup is complete and, if the passphrase is given, whether it is',
    'unchanged and its secret opens its sealed values. Exit code 1 if something is wrong or could not be checked.',
    PASSPHRASE_HELP,
  ].join('\n'),
  options: PASSPHRASE_OPTION,
  optionalPositionals: ['file'],
  prints: true,
  run: (args, tools) => (args.positional(0) === '' ? verifyInstallation : verifyBackup)(args, tools),
};

async function verifyInstallation(
  args: Arguments,
  { configOrRefuse, openExisting }: CommandTools,
): Promise<void> {
  const { verifyInstallation: verifyData } = await import('./verify.ts');
  const { printFindings } = await import('./print-findings.ts');
  printFindings(await verifyData(configOrRefuse(), openExisting), args);
}

async function verifyBackup(args: Arguments, { configOrRefuse, loadTables }: CommandTools): Promise<void> {
  const file = args.positional(0);
  const { checkBackup } = await import('../../platform/backup/check-backup.ts');
  const checked = await checkBackup(file, readPassphrase(args, configOrRefuse()), await loadTables());
  const { header, rows, isAuthentic, opened, broken } = checked;
  const { release, engine, schemaVersion, madeAt, tables } = header;
  const hasSecret = header.secret !== null;
  if (args.has('json'))
    printJson({
      file,
      madeAt,
      release,
      engine,
      schemaVersion,
      secret: hasSecret,
      authentic: isAuthentic,
      opened: opened ?? null,
      broken,
      tables,
    });
  else {
    print(`${file} is complete: ${countOf(rows, 'row')}, the checksum is right.`);
    print(`Made ${madeAt} by release ${release} on ${engine} (schema version ${schemaVersion}).`);
    for (const [table, count] of Object.entries(tables))
      if (count > 0) print(`  ${table}: ${count.toLocaleString('en')}`);
    print(sayAboutSecret(hasSecret, opened));
    const unproven = sayUnproven(checked);
    print(unproven ? `Warning: ${unproven}.` : 'The passphrase proves that nobody has changed it.');
    for (const text of broken) print(text);
  }
  if (broken.length > 0)
    throw new CommandFailed(`${countOf(broken.length, 'sealed value')} cannot be opened`);
}

function sayAboutSecret(hasSecret: boolean, opened: number | undefined): string {
  if (!hasSecret) return 'It does not contain the secret: keep the secret that was used at that time, too.';
  if (opened === undefined)
    return 'It contains the secret: with --passphrase-file FILE, the secret is checked too.';
  return `The passphrase is right, and the secret opens ${countOf(opened, 'sealed value')}.`;
}
