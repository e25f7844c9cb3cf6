// `gastpass rekey`: changes the installation's secret.

import { join } from 'node:path';
import type { Command } from '../../platform/cli/command.ts';
import { print, printJson } from '../../platform/cli/print.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { auditContext } from '../command-tools.ts';

export const rekey: Command = {
  name: 'rekey',
  summary: "Change the installation's secret: seal all values anew.",
  help: [
    'If the secret is the file "secret" in the data folder, a new one is made; services can keep running.',
    'Otherwise give every instance the new secret as GASTPASS_SECRET and the old one as',
    'GASTPASS_SECRET_PREVIOUS first, then run this command with the same two settings, then remove',
    'GASTPASS_SECRET_PREVIOUS. If the command is interrupted, nothing is lost: run it again.',
  ].join('\n'),
  prints: true,
  async run(args, { configOrRefuse, loadTables }) {
    const config = configOrRefuse();
    const { rekeyInstallation } = await import('./rekey-store.ts');
    const values = await rekeyInstallation(config, {
      tables: await loadTables(),
      audit: auditContext({ clock: systemClock }),
    });
    if (args.has('json')) return printJson({ values });
    if (values === 0) print('Nothing to do: all values are sealed with GASTPASS_SECRET already.');
    else print(`${values} ${values === 1 ? 'value was' : 'values were'} sealed anew.`);
    if (config.secret === undefined)
      print(
        `The new secret is in ${join(config.dataDir, 'secret')}. Back up now: earlier backups need the earlier secret.`,
      );
    else if (config.previousSecret !== undefined)
      print('Now remove GASTPASS_SECRET_PREVIOUS from every instance.');
  },
};
