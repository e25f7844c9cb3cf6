// The type of a command, its two kinds of error, and functions that read its options and arguments.

import type { ParseArgsOptionsConfig } from 'node:util';

export interface Arguments {
  values: Readonly<Record<string, string | boolean | undefined>>;
  /** The values of options that can be given several times. */
  lists: Readonly<Record<string, readonly string[]>>;
  positionals: readonly string[];
}

export interface Command {
  /** As typed, for example `keys create`. */
  name: string;
  summary: string;
  /** The options and arguments after the name, for the help text. */
  usage?: string;
  options?: ParseArgsOptionsConfig;
  /** Names of the required positional arguments. */
  positionals?: string[];
  /** Names of the positional arguments that may follow. */
  optionalPositionals?: string[];
  help?: string;
  /** Whether the command accepts `--json`. */
  prints?: true;
  run(args: Arguments): Promise<void>;
}

/** Options that take a text. */
export function texts(...names: string[]): Record<string, { type: 'string' }> {
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
}

/** Options without a value. */
export function switches(...names: string[]): Record<string, { type: 'boolean' }> {
  return Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));
}

/** An error for the user. Its message has several lines only if they are given one by one. */
export class CommandError extends Error {
  readonly lines: readonly string[];

  constructor(...lines: string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** The command line is invalid. Exit code 2. */
export class WrongUsage extends CommandError {}

/** The command line is valid, but the command failed. Exit code 1. */
export class CommandFailed extends CommandError {}

export function textOption(args: Arguments, name: string): string | undefined {
  const value = args.values[name];
  if (typeof value !== 'string') return undefined;
  if (value.trim() === '') throw new WrongUsage(`--${name} must not be empty`);
  return value.trim();
}

export function requiredOption(args: Arguments, name: string): string {
  const value = textOption(args, name);
  if (value === undefined) throw new WrongUsage(`--${name} is missing`);
  return value;
}

export function choiceOption<Choice extends string>(
  args: Arguments,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = textOption(args, name);
  if (value === undefined) return undefined;
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) throw new WrongUsage(`--${name}: expected one of ${choices.join(', ')}`);
  return chosen;
}

/** A whole number from 0 to `max`. */
export function integerOption(args: Arguments, name: string, max: number): number | undefined {
  return numberOption(args, name, { min: 0, max });
}

/** A whole number from 1 to `max`. */
export function countOption(args: Arguments, name: string, max: number): number | undefined {
  return numberOption(args, name, { min: 1, max });
}

function numberOption(
  args: Arguments,
  name: string,
  { min, max }: { min: number; max: number },
): number | undefined {
  const value = textOption(args, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,10}$/.test(value) || Number(value) < min || Number(value) > max)
    throw new WrongUsage(`--${name}: expected a whole number from ${min} to ${max}`);
  return Number(value);
}

export function positional(args: Arguments, index: number): string {
  return args.positionals[index] ?? '';
}

/** The number of a webhook or a delivery. */
export function readNumber(text: string, thing: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new WrongUsage(`"${text}" is not the number of a ${thing}`);
  return Number(text);
}
