// `gastpass doctor`: checks the installation and suggests a fix for each issue.

import { type Command, switches } from '../../platform/cli/command.ts';
import { auditContext } from '../command-tools.ts';
import type { HealthCheck } from './health-check.ts';

/** `loadChecks` loads the checks of the features. */
export const makeDoctor = (loadChecks: () => Promise<HealthCheck[]>): Command => ({
  name: 'doctor',
  summary:
    'Check the service, data folder, database, secret, clock, sites, printers, webhooks and backups, and suggest fixes.',
  usage: '[--database | --confirm-clock]',
  help: [
    'Changes nothing without --confirm-clock. Exit code 1 if there is at least one fault, 0 if there are at most warnings.',
    '--confirm-clock says that the clock of this machine is right, so that records are deleted by age again after the clock jumped.',
    '--database examines only the database, but in detail: run it before you choose a PostgreSQL service.',
  ].join('\n'),
  options: switches('database', 'confirm-clock'),
  prints: true,
  async run(args, { configOrRefuse, openExisting, withInstallation }) {
    if (args.has('confirm-clock'))
      await withInstallation((installation) => installation.clockRecords.confirm(auditContext(installation)));
    const config = configOrRefuse();
    const { examine } = await import('./examine.ts');
    const { examineDatabase } = await import('./examine-database.ts');
    const { printFindings } = await import('./print-findings.ts');
    const checks = await loadChecks();
    printFindings(
      await (args.has('database') ? examineDatabase(config) : examine(config, { openExisting, checks })),
      args,
      checks,
    );
  },
});
