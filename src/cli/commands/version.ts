// `gastpass version`: prints the version of this release.

import { VERSION } from '../../config/version.ts';
import type { Command } from '../command.ts';
import { print, printJson } from '../print.ts';

export const version: Command = {
  name: 'version',
  summary: 'Print the version.',
  prints: true,
  async run(args) {
    if (args.has('json')) printJson({ version: VERSION });
    else print(VERSION);
  },
};
