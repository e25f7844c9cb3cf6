// All commands, in the order in which the overview lists them. Only the files of the command that runs are loaded.

import type { Command } from '../command.ts';

/** Keyed by the first word of the commands' names. */
const FILES: Record<string, () => Promise<Command[]>> = {
  serve: async () => [(await import('./serve.ts')).serve],
  keys: async () => (await import('./keys.ts')).keyCommands,
  sites: async () => (await import('./sites.ts')).siteCommands,
  users: async () => (await import('./users.ts')).userCommands,
  webhooks: async () => [
    ...(await import('./webhooks.ts')).webhookCommands,
    ...(await import('./deliveries.ts')).deliveryCommands,
  ],
  vouchers: async () => [
    (await import('./create-vouchers.ts')).create,
    ...(await import('./vouchers.ts')).voucherCommands,
  ],
  mail: async () => (await import('./mail.ts')).mailCommands,
  printers: async () => (await import('./printers.ts')).printerCommands,
  screens: async () => [
    ...(await import('./screens.ts')).screenCommands,
    ...(await import('./screen-details.ts')).screenDetailCommands,
  ],
  requests: async () => (await import('./requests.ts')).requestCommands,
  sync: async () => [(await import('./sync.ts')).sync],
  doctor: async () => [(await import('./doctor.ts')).doctor],
  migrate: async () => [(await import('./migrate.ts')).migrate],
  backup: async () => [(await import('./backup.ts')).backup],
  restore: async () => [(await import('./restore.ts')).restore],
  verify: async () => [(await import('./verify.ts')).verify],
  move: async () => [(await import('./move.ts')).move],
  privacy: async () => (await import('./privacy.ts')).privacyCommands,
  'move-in': async () => [(await import('./move-in.ts')).moveIn],
  rekey: async () => [(await import('./rekey.ts')).rekey],
  'simulate-controller': async () => [(await import('./simulate-controller.ts')).simulateController],
  'simulate-printer': async () => [(await import('./simulate-printer.ts')).simulatePrinter],
  mcp: async () => [(await import('./mcp.ts')).mcp],
  completion: async () => [(await import('./completion.ts')).makeCompletion(loadCommands)],
  version: async () => [(await import('./version.ts')).version],
};

/** Returns the commands whose first word is `word`, or all commands if there are none. */
export async function loadCommands(word = ''): Promise<Command[]> {
  if (Object.hasOwn(FILES, word)) return (await FILES[word]?.()) ?? [];
  return (await Promise.all(Object.values(FILES).map((load) => load()))).flat();
}
