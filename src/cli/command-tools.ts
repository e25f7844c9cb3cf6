// The tools that commands get. They load the application only when they are used, so that help and usage errors appear
// without delay.

import { type CommandTools, WrongUsage } from '../platform/cli/command.ts';
import type { Config } from '../platform/config/config.ts';
import { readConfig } from '../platform/config/read-config.ts';
import { systemClock } from '../platform/time/clock.ts';

function configOrRefuse(): Config {
  const { config, issues } = readConfig();
  if (issues) throw new WrongUsage('the configuration is invalid:', ...issues.map((issue) => `  ${issue}`));
  return config;
}

async function openExisting(config: Config) {
  const { openInstallation } = await import('../app/installation.ts');
  return openInstallation(config, systemClock, { schema: 'expect' });
}

export const COMMAND_TOOLS: CommandTools = {
  configOrRefuse,
  openExisting,
  loadTables: async () => (await import('../app/tables.ts')).loadTables(),
  async withInstallation(use) {
    const config = configOrRefuse();
    const installation = await openExisting(config);
    try {
      return await use(installation, config);
    } finally {
      await installation.close();
    }
  },
};
