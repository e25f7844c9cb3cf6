// Reads a secret from a file, or from standard input if the source is `-`. The secret then does not appear in the
// arguments of the process, which every user of the machine can read.

import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { type Arguments, WrongUsage } from './command.ts';

const STANDARD_INPUT = 0;

/** Reads the file that the option names. Returns undefined if the option is not given. */
export function readSecretOption(args: Arguments, name: string): string | undefined {
  const source = args.text(name);
  if (source === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(source === '-' ? STANDARD_INPUT : source, 'utf8');
  } catch (error) {
    throw new WrongUsage(`cannot read ${source}: ${whyUnreadable(error, `--${name} - < ${source}`)}`);
  }
  return text.replace(/\r?\n$/, '');
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
