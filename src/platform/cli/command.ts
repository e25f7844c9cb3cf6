// The type of a command, its two kinds of error, and the arguments it is run with.

import type { ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Config } from '../config/config.ts';
import type { TableDeclarations } from '../database/tables/table-declarations.ts';
import { hasInvisible } from '../text/invisible.ts';

export interface Command {
  /** As typed, for example `keys create`. */
  name: string;
  summary: string;
  /** The options and arguments after the name, for the help text. */
  usage?: string;
  options?: ParseArgsOptionsConfig;
  /** Names of the required positional arguments. */
  positionals?: string[];
  /** Names of the optional positional arguments, which follow the required ones. */
  optionalPositionals?: string[];
  help?: string;
  /** Whether the command accepts `--json`. */
  prints?: true;
  run(args: Arguments, tools: CommandTools): Promise<void>;
}

/** What a command gets from the program beside its arguments. The kernel adds how a command opens the installation. */
export interface CommandTools {
  /** Throws `WrongUsage` with all issues if the configuration is invalid. */
  configOrRefuse(): Config;
  /** The tables of all nouns. */
  loadTables(): Promise<TableDeclarations>;
}

/** Options that take a text. */
export function texts(...names: string[]): Record<string, { type: 'string' }> {
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
}

/** Options without a value. */
export function switches(...names: string[]): Record<string, { type: 'boolean' }> {
  return Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));
}

/** An error message for the user. Each argument of the constructor is one line. */
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

type Parsed = ReturnType<typeof parseArgs>;

/** What was typed after the name of a command. */
export class Arguments {
  readonly #values: Parsed['values'];
  readonly #positionals: Parsed['positionals'];

  constructor({ values, positionals }: Pick<Parsed, 'values' | 'positionals'>) {
    this.#values = values;
    this.#positionals = positionals;
  }

  /** Whether the option is given. */
  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  /** The value of an option as it was typed; it may be empty. */
  rawText(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  text(name: string): string | undefined {
    const value = this.rawText(name)?.trim();
    if (value === '') throw new WrongUsage(`--${name} must not be empty`);
    return value;
  }

  /** `--name`, by the rule that pages have for names. */
  name(): string | undefined {
    const name = this.text('name');
    if (name !== undefined && hasInvisible(name))
      throw new WrongUsage('--name: contains invisible characters, such as a line break');
    return name;
  }

  requiredName(): string {
    this.required('name');
    return this.name() ?? '';
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw new WrongUsage(`--${name} is missing`);
    return value;
  }

  /** The values of an option that can be given several times. */
  list(name: string): string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map(String) : [];
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) throw new WrongUsage(`--${name}: expected one of ${choices.join(', ')}`);
    return chosen;
  }

  /** A whole number from 1 to `max`. */
  count(name: string, max: number): number | undefined {
    return this.integer(name, max, 1);
  }

  /** A whole number from `min` to `max`. */
  integer(name: string, max: number, min = 0): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^\d{1,10}$/.test(value) || Number(value) < min || Number(value) > max)
      throw new WrongUsage(`--${name}: expected a whole number from ${min} to ${max}`);
    return Number(value);
  }

  /** Returns an empty text if the argument is not given. */
  positional(index: number): string {
    return this.#positionals[index] ?? '';
  }
}

/** Parses the number of a webhook or a delivery. `thing` says which of the two, for the error message. */
export function readNumber(text: string, thing: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new WrongUsage(`"${text}" is not the number of a ${thing}`);
  return Number(text);
}
