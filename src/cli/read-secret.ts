// Reads a secret from a file, or from standard input if the source is `-`. The secret then does not appear in the
// arguments of the process, which every user of the machine can read.

import { readFileSync } from 'node:fs';
import { WrongUsage } from './command.ts';

const STANDARD_INPUT = 0;

export function readSecret(source: string): string {
  let text: string;
  try {
    text = readFileSync(source === '-' ? STANDARD_INPUT : source, 'utf8');
  } catch (error) {
    throw new WrongUsage(`cannot read ${source}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return text.replace(/\r?\n$/, '');
}
