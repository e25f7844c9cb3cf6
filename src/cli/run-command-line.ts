// Finds the command, reads its arguments and runs it. Exit codes: 0 success, 1 failure, 2 invalid usage or
// configuration. Results go to stdout, errors to stderr.

import { parseArgs } from 'node:util';
import { Arguments, type Command, CommandError, switches, WrongUsage } from '../platform/cli/command.ts';
import { print, printError } from '../platform/cli/print.ts';
import { maskSecrets } from '../platform/secrets/mask-secrets.ts';
import { WrongConfiguration } from '../platform/values/wrong-configuration.ts';
import { COMMAND_TOOLS } from './command-tools.ts';
import { loadCommands } from './commands.ts';

export async function runCommandLine(words: string[]): Promise<number> {
  try {
    return await run(words);
  } catch (error) {
    const isUsage = error instanceof WrongUsage || error instanceof WrongConfiguration;
    // Usage and configuration errors contain the names of secret settings, but not their values. Masking would only
    // remove these names.
    const [first = '', ...more] = (await linesOf(error)).map((line) => (isUsage ? line : maskSecrets(line)));
    printError(`gastpass: ${first}`, ...more);
    return isUsage ? 2 : 1;
  }
}

async function linesOf(error: unknown): Promise<readonly string[]> {
  if (error instanceof CommandError) return error.lines;
  const { explainError } = await import('../kernel/health/explain-error.ts');
  return [explainError(error)];
}

async function run(words: string[]): Promise<number> {
  const [first, second] = words;
  if (first === '--version') return run(['version']);
  const commands = await loadCommands(first);
  if (first === undefined || first === '--help' || first === 'help') return showOverview(commands);
  const command =
    commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first);
  if (!command) {
    const group = commands.filter(({ name }) => name.startsWith(`${first} `));
    if (group.length > 0 && second === '--help') return showOverview(group);
    const known = (group.length > 0 ? group : commands).map(({ name }) => name).join(', ');
    throw new WrongUsage(`there is no command "${words.slice(0, 2).join(' ')}"; there are: ${known}`);
  }
  const rest = words.slice(command.name.split(' ').length);
  if (rest.includes('--help')) return showHelp(command);
  await command.run(readArguments(command, rest), COMMAND_TOOLS);
  return 0;
}

function readArguments(command: Command, words: string[]): Arguments {
  const parsed = parse(command, words);
  const count = parsed.positionals.length;
  const { positionals: required = [], optionalPositionals: optional = [] } = command;
  if (count < required.length || count > required.length + optional.length) {
    const names = [...required.map((name) => `<${name}>`), ...optional.map((name) => `[${name}]`)];
    const excess = count > required.length ? 'too many words: ' : '';
    throw new WrongUsage(
      `${excess}expected ${names.join(' ') || 'none'}; see gastpass ${command.name} --help`,
    );
  }
  return new Arguments(parsed);
}

function parse(command: Command, args: string[]) {
  const options = { ...command.options, ...(command.prints && switches('json')) };
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    const text =
      error instanceof Error ? error.message.split('\n')[0]?.replace(/\. To specify.*/, '') : String(error);
    throw new WrongUsage(`${text}; see gastpass ${command.name} --help`);
  }
}

function showOverview(shown: Command[]): number {
  const width = Math.max(...shown.map(({ name }) => name.length));
  print(
    'Usage: gastpass <command> [options]',
    '',
    ...shown.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Every command has --help. Settings come from the environment: see docs/settings.md.',
  );
  return 0;
}

function showHelp({ name, usage, summary, help, prints }: Command): number {
  const words = [name, usage, prints ? '[--json]' : ''].filter(Boolean);
  print(`Usage: gastpass ${words.join(' ')}`, '', summary);
  if (help) print('', ...help.split('\n'));
  return 0;
}
