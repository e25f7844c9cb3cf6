// The first file of the program: hands the command line's words to the right command.

import { runCommandLine } from './cli/run-command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2));
