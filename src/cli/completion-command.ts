// `gastpass completion`: prints the completion script of a shell.

import { type Command, WrongUsage } from '../platform/cli/command.ts';
import { completionScript, SHELLS } from './completion.ts';

/** `loadCommands` loads all commands, including this one. */
export const makeCompletion = (loadCommands: () => Promise<Command[]>): Command => ({
  name: 'completion',
  summary: 'Print the script that completes commands and options in your shell.',
  usage: `<${SHELLS.join('|')}>`,
  help: `bash: source <(gastpass completion bash)
zsh:  source <(gastpass completion zsh)
fish: gastpass completion fish | source`,
  positionals: ['shell'],
  async run(args) {
    const shell = SHELLS.find((one) => one === args.positional(0));
    if (!shell) throw new WrongUsage(`expected one of ${SHELLS.join(', ')}`);
    process.stdout.write(completionScript(shell, await loadCommands()));
  },
});
