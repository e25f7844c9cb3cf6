// Durations on the command line, such as 90m, 8h, 3d and 2w.

import { type Arguments, WrongUsage } from '../../platform/cli/command.ts';
import { MAX_INTEGER } from './voucher-order.ts';

const UNITS = [
  ['w', 7 * 24 * 60],
  ['d', 24 * 60],
  ['h', 60],
  ['m', 1],
] as const;

/** Returns minutes. */
export function durationOption(args: Arguments, name: string): number | undefined {
  const text = args.text(name);
  if (text === undefined) return undefined;
  const [, amount, letter] = /^(\d{1,10})([mhdw])$/.exec(text) ?? [];
  const [, size = 0] = UNITS.find(([unit]) => unit === letter) ?? [];
  const minutes = Number(amount) * size;
  if (minutes >= 1 && minutes <= MAX_INTEGER) return minutes;
  throw new WrongUsage(`--${name}: expected minutes, hours, days or weeks, such as 90m, 8h, 3d or 2w`);
}

/** Uses the largest unit in which the duration is a whole number. */
export function writeDuration(minutes: number): string {
  const [unit, size] = UNITS.find((one) => minutes >= one[1] && minutes % one[1] === 0) ?? ['m', 1];
  return `${minutes / size}${unit}`;
}
