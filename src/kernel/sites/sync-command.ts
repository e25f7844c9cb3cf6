// `gastpass sync`: syncs voucher usage from the controllers now, without waiting for the next sync of the service.

import { type Command, texts } from '../../platform/cli/command.ts';
import { printSynced, syncSites } from './sync-sites-command.ts';

export const sync: Command = {
  name: 'sync',
  summary: 'Read the usage of vouchers from the controllers now, for all active sites or for one.',
  usage: '[--site ID]',
  options: texts('site'),
  prints: true,
  async run(args, tools) {
    printSynced(await syncSites(args, tools), args);
  },
};
