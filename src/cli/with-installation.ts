// Opens the configured installation for the duration of one command; the service may be running or not. Commands
// load the application only when they run, so that help and usage errors appear without delay.

import type { AuditContext } from '../kernel/audit/audit-log.ts';
import type { Installation } from '../kernel/installation.ts';
import { WrongUsage } from '../platform/cli/command.ts';
import { readCaller } from '../platform/config/caller.ts';
import type { Config } from '../platform/config/config.ts';
import { readConfig } from '../platform/config/read-config.ts';
import { systemClock } from '../platform/time/clock.ts';

export function configOrRefuse(): Config {
  const { config, issues } = readConfig();
  if (issues) throw new WrongUsage('the configuration is invalid:', ...issues.map((issue) => `  ${issue}`));
  return config;
}

/** Never creates or migrates the database: the service may still be running with an older release. */
async function openExisting(config: Config): Promise<Installation> {
  const { openInstallation } = await import('../app/installation.ts');
  return openInstallation(config, systemClock, { schema: 'expect' });
}

export async function withInstallation<Value>(
  use: (installation: Installation, config: Config) => Promise<Value>,
): Promise<Value> {
  const config = configOrRefuse();
  const installation = await openExisting(config);
  try {
    return await use(installation, config);
  } finally {
    await installation.close();
  }
}

/** The actor and the time for the audit log. */
export function auditContext({ clock }: Pick<Installation, 'clock'>): AuditContext {
  return { actor: { kind: 'command', id: null, name: readCaller() }, atMs: clock.nowMs() };
}
