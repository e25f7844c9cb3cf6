// All commands, in the order in which the overview lists them. Only the files of the command that runs are loaded.

import { loadChecks } from '../app/feature-health.ts';
import { FEATURES } from '../features.ts';
import type { Command } from '../platform/cli/command.ts';

/** The commands of kernel and platform, keyed by the first word of the commands' names. */
const OWN: Record<string, () => Promise<Command[]>> = {
  serve: async () => [(await import('./serve-command.ts')).serve],
  keys: async () => (await import('../kernel/keys/key-commands.ts')).keyCommands,
  sites: async () => (await import('../kernel/sites/site-commands.ts')).siteCommands,
  users: async () => (await import('../kernel/users/user-commands.ts')).userCommands,
  vouchers: async () => [
    (await import('../kernel/vouchers/create-vouchers-command.ts')).create,
    ...(await import('../kernel/vouchers/voucher-commands.ts')).voucherCommands,
  ],
  sync: async () => [(await import('../kernel/sites/sync-command.ts')).sync],
  doctor: async () => [(await import('../kernel/health/doctor-command.ts')).makeDoctor(loadChecks)],
  migrate: async () => [(await import('../platform/database/migrate-command.ts')).migrate],
  backup: async () => [(await import('../platform/backup/backup-command.ts')).backup],
  restore: async () => [(await import('../platform/backup/restore-command.ts')).makeRestore(loadRefill)],
  verify: async () => [(await import('../kernel/health/verify-command.ts')).verify],
  move: async () => [(await import('../platform/database/move/move-command.ts')).move],
  privacy: async () => (await import('../kernel/privacy/privacy-commands.ts')).privacyCommands,
  rekey: async () => [(await import('../kernel/rekey/rekey-command.ts')).rekey],
  'simulate-controller': async () => [
    (await import('../kernel/controllers/simulate-controller-command.ts')).simulateController,
  ],
  completion: async () => [(await import('./completion-command.ts')).makeCompletion(loadCommands)],
  version: async () => [(await import('./version-command.ts')).version],
};

async function loadRefill(dataDir: string) {
  const { simulatorRefill } = await import('../kernel/controllers/simulator/simulator-refill-queries.ts');
  return simulatorRefill(dataDir);
}

const GROUPS = Object.entries(OWN).map(([word, load]) => ({ word, load }));
for (const group of FEATURES.flatMap(({ commands = [] }) => commands)) {
  const place = GROUPS.findIndex(({ word }) => word === group.before);
  GROUPS.splice(place, 0, group);
}

/** Returns the commands whose first word is `first`, or all commands if there are none. */
export async function loadCommands(first = ''): Promise<Command[]> {
  const found = GROUPS.filter(({ word }) => word === first);
  const groups = found.length > 0 ? found : GROUPS;
  return (await Promise.all(groups.map(({ load }) => load()))).flat();
}
