// `gastpass version`: prints the version of this release.

import type { Command } from '../platform/cli/command.ts';
import { print, printJson } from '../platform/cli/print.ts';
import { VERSION } from '../platform/config/version.ts';

export const version: Command = {
  name: 'version',
  summary: 'Print the version.',
  prints: true,
  async run(args) {
    if (args.has('json')) printJson({ version: VERSION });
    else print(VERSION);
  },
};
