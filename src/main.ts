// The entry point of the program: runs the command given on the command line.

import { runCommandLine } from './cli/run-command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2));
