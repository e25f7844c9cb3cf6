// A secret handed to a command: from a file, or from standard input for `-`. Never from an argument,
// where every user of the machine could read it.

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
