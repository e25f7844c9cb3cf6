// `gastpass backup FILE`: makes a backup while the service runs.

import { type Arguments, type Command, switches, WrongUsage } from '../cli/command.ts';
import { countOf, print, printJson } from '../cli/print.ts';
import { showProgress } from '../cli/progress.ts';
import { MIN_PASSPHRASE_LENGTH } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import { systemClock } from '../time/clock.ts';
import { PASSPHRASE_HELP, PASSPHRASE_OPTION, readPassphrase } from './passphrase-option.ts';

const STANDARD_OUTPUT = '-';

export const backup: Command = {
  name: 'backup',
  summary: 'Back up the installation into one file, also while the service runs.',
  usage: 'FILE --passphrase-file FILE | FILE --without-secret',
  help: [
    "The backup contains the installation's secret, wrapped with the passphrase. With --without-secret it does not:",
    'keep the secret yourself then, because a backup cannot be restored without it. - writes to standard output.',
    PASSPHRASE_HELP,
    'gastpass verify FILE checks the backup, gastpass restore FILE restores it on SQLite or on PostgreSQL.',
  ].join('\n'),
  options: { ...switches('without-secret'), ...PASSPHRASE_OPTION },
  positionals: ['file'],
  prints: true,
  async run(args, { configOrRefuse, loadTables }) {
    const file = args.positional(0);
    const config = configOrRefuse();
    const passphrase = passphraseFor(args, config);
    const isPiped = file === STANDARD_OUTPUT;
    if (isPiped && process.stdout.isTTY)
      throw new WrongUsage('standard output is a terminal: name a file, or send the output into a pipe');

    const { backUpInstallation } = await import('./create-backup.ts');
    const stopping = new AbortController();
    const stop = () => stopping.abort(new Error('interrupted: there is no backup'));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
    try {
      const made = await backUpInstallation(config, isPiped ? process.stdout : file, {
        declared: await loadTables(),
        passphrase,
        release: VERSION,
        nowMs: systemClock.nowMs(),
        onProgress: showProgress,
        signal: stopping.signal,
      });
      if (isPiped) return;
      if (args.has('json')) return printJson({ file, ...made, secret: passphrase !== undefined });
      const { rows = 0, bytes = 0 } = made;
      print(`Backed up ${countOf(rows, 'row')} into ${file} (${countOf(bytes, 'byte')}).`);
      if (passphrase === undefined)
        print('It does not contain the secret: keep the secret too, but in another place.');
    } catch (error) {
      throw stopping.signal.aborted ? stopping.signal.reason : error;
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
    }
  },
};

function passphraseFor(args: Arguments, config: Parameters<typeof readPassphrase>[1]): string | undefined {
  if (args.has('without-secret')) {
    if (args.has('passphrase-file'))
      throw new WrongUsage('--passphrase-file and --without-secret exclude each other');
    return undefined;
  }
  const passphrase = readPassphrase(args, config);
  if (passphrase === undefined)
    throw new WrongUsage(
      "a backup needs a passphrase for the installation's secret: give --passphrase-file FILE, or leave the secret out with --without-secret and keep it yourself (without it, the backup cannot be restored)",
    );
  if (passphrase.length < MIN_PASSPHRASE_LENGTH)
    throw new WrongUsage(`the passphrase is too short: use at least ${MIN_PASSPHRASE_LENGTH} characters`);
  return passphrase;
}
