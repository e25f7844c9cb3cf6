// Reads a secret from a file, or from standard input if the source is `-`. The secret then does not appear in the
// arguments of the process, which every user of the machine can read.

import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { type Arguments, WrongUsage } from './command.ts';

const STANDARD_INPUT = 0;

/** Reads the file that the option names. Returns undefined if the option is not given. */
export function readSecretOption(args: Arguments, name: string): string | undefined {
  return readFileOption(args, name)
    ?.toString('utf8')
    .replace(/\r?\n$/, '');
}

/** Like `readSecretOption`, for a file that may be binary. */
export function readFileOption(args: Arguments, name: string): Buffer | undefined {
  const source = args.text(name);
  if (source === undefined) return undefined;
  try {
    return readFileSync(source === '-' ? STANDARD_INPUT : source);
  } catch (error) {
    throw new WrongUsage(`cannot read ${source}: ${whyUnreadable(error, `--${name} - < ${source}`)}`);
  }
}

/** `instead`: what to type if this program may not read the file, so that the shell opens the file. */
export function whyUnreadable(error: unknown, instead: string, user = userName()): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && error.code === 'EACCES'
    ? `permission denied for user ${user}; use: ${instead}`
    : error.message;
}

/** Returns the number of a user without a name: a container may run as such a user. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
