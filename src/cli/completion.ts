// Writes the completion scripts of the shells from the table of commands: their names, their options, and the values
// that the usage of a command lists, as in `--scope read|write`.

import type { Command } from '../platform/cli/command.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

interface Option {
  /** Including the leading dashes. */
  name: string;
  takesValue: boolean;
  /** The values that the usage lists; empty if it lists none. */
  values: string[];
}

interface Completed {
  name: string;
  summary: string;
  options: Option[];
  /** The values of the first argument, if the usage lists them. */
  values: string[];
}

export function completionScript(shell: Shell, commands: readonly Command[]): string {
  const completed = commands.map(({ name, summary, options = {}, usage = '', prints }) => ({
    name,
    summary,
    values: choicesIn(/^<(\S+\|\S+)>/.exec(usage)?.[1]),
    options: [
      ...Object.entries(options).map(([option, { type }]) => ({
        name: `--${option}`,
        takesValue: type === 'string',
        values: choicesIn(new RegExp(`--${option} ([\\w-]+(?:\\|[\\w-]+)+)`).exec(usage)?.[1]),
      })),
      ...['--help', ...(prints ? ['--json'] : [])].map(toSwitch),
    ],
  }));
  return WRITERS[shell](completed);
}

const toSwitch = (name: string): Option => ({ name, takesValue: false, values: [] });
const choicesIn = (text: string | undefined): string[] => text?.split('|') ?? [];

const WRITERS: Record<Shell, (commands: Completed[]) => string> = {
  bash: writeBash,
  zsh: writeZsh,
  fish: writeFish,
};

/** Returns the first words of all commands, and for each first word the second words that can follow it. */
function wordsOf(commands: Completed[]) {
  const first = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
  const groups = first
    .map((word) => ({ word, second: commands.flatMap(({ name }) => secondOf(name, word)) }))
    .filter(({ second }) => second.length > 0);
  return { first, groups };
}

function secondOf(name: string, word: string): string[] {
  return name.startsWith(`${word} `) ? [name.slice(word.length + 1)] : [];
}

/**
 * Writes the part of the script that bash and zsh share. `offer` returns the shell code that offers some words. The
 * variables `command` and `previous` must be set before this part.
 */
function writeCases(commands: Completed[], offer: (words: readonly string[]) => string): string {
  const { groups } = wordsOf(commands);
  const named = [
    ...groups.map(({ word, second }) => [word, second] as const),
    ...commands.map(
      ({ name, options, values }) => [name, [...values, ...options.map((one) => one.name)]] as const,
    ),
  ];
  const valued = commands.flatMap(({ name, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map((option) => [`${name} ${option.name}`, option.values] as const),
  );
  const toLine = ([pattern, words]: readonly [string, readonly string[]]) =>
    `    '${pattern}') ${offer(words)} ;;`;
  return `  case $command in
${named.map(toLine).join('\n')}
  esac
  case "$command $previous" in
${valued.map(toLine).join('\n')}
  esac`;
}

function writeBash(commands: Completed[]): string {
  const { first, groups } = wordsOf(commands);
  const offer = (words: readonly string[]) => `offered='${words.join(' ')}'`;
  return `# Completion of gastpass for bash. Load it with: source <(gastpass completion bash)
_gastpass() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]} offered=
  case $command in
    ${groups.map(({ word }) => word).join(' | ')}) ((COMP_CWORD > 2)) && command+=" \${COMP_WORDS[2]}" ;;
  esac
  ((COMP_CWORD == 1)) && command= && ${offer(first)}
${writeCases(commands, offer)}
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -o default -F _gastpass gastpass
`;
}

function writeZsh(commands: Completed[]): string {
  const { first, groups } = wordsOf(commands);
  const offer = (words: readonly string[]) => `offered=(${words.join(' ')})`;
  return `#compdef gastpass
# Completion of gastpass for zsh. Load it with: source <(gastpass completion zsh)
_gastpass() {
  local previous=$words[CURRENT-1] command=$words[2]
  local -a offered
  case $command in
    ${groups.map(({ word }) => word).join(' | ')}) ((CURRENT > 3)) && command+=" $words[3]" ;;
  esac
  ((CURRENT == 2)) && command= && ${offer(first)}
${writeCases(commands, offer)}
  if (($#offered)); then compadd -- $offered; else _files; fi
}
compdef _gastpass gastpass
`;
}

function writeFish(commands: Completed[]): string {
  const { groups } = wordsOf(commands);
  const quote = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  const single = commands.filter(({ name }) => !name.includes(' '));
  const lines = [
    ...single.map(({ name, summary }) => `-n '__gastpass_after' -f -a ${name} -d ${quote(summary)}`),
    ...groups.map(({ word }) => `-n '__gastpass_after' -f -a ${word}`),
    ...commands
      .filter(({ name }) => name.includes(' '))
      .map(({ name, summary }) => {
        const [word = '', second = ''] = name.split(' ');
        return `-n '__gastpass_after ${word}' -f -a ${second} -d ${quote(summary)}`;
      }),
    ...commands.flatMap(({ name, options, values }) => [
      ...(values.length > 0 ? [`-n '__gastpass_after ${name}' -f -a ${quote(values.join(' '))}`] : []),
      ...options.map((option) => `-n '__gastpass_in ${name}' -l ${option.name.slice(2)}${fishValue(option)}`),
    ]),
  ];
  return `# Completion of gastpass for fish. Load it with: gastpass completion fish | source
function __gastpass_after
    set -l typed (commandline -opc)
    test "$typed[2..]" = "$argv"
end
function __gastpass_in
    set -l typed (commandline -opc)
    string match -q -- "$argv *" "$typed[2..] "
end
${lines.map((line) => `complete -c gastpass ${line}`).join('\n')}
`;
}

function fishValue({ takesValue, values }: Option): string {
  if (!takesValue) return ' -f';
  return values.length > 0 ? ` -x -a '${values.join(' ')}'` : ' -r';
}
