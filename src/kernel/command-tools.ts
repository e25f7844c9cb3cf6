// What commands of kernel and features use beside their arguments: the installation, and who changes something in it.

import { readCaller } from '../platform/config/caller.ts';
import type { Config } from '../platform/config/config.ts';
import type { AuditContext } from './audit/audit-log.ts';
import type { Installation } from './installation.ts';

declare module '../platform/cli/command.ts' {
  interface CommandTools {
    /** Opens the configured installation while `use` runs; the service may be running or not. */
    withInstallation<Value>(
      use: (installation: Installation, config: Config) => Promise<Value>,
    ): Promise<Value>;
    /** Never creates or migrates the database: the service may still be running with an older release. */
    openExisting(config: Config): Promise<Installation>;
  }
}

/** The actor and the time for the audit log. */
export function auditContext({ clock }: Pick<Installation, 'clock'>): AuditContext {
  return { actor: { kind: 'command', id: null, name: readCaller() }, atMs: clock.nowMs() };
}
