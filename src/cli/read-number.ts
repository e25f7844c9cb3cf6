// Parses a numeric id given on the command line.

import { WrongUsage } from './command.ts';

export function readNumber(text: string, thing: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new WrongUsage(`"${text}" is not the number of a ${thing}`);
  return Number(text);
}
