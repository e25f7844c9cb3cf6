// Runs commands one after another in one process. src/main.ts runs each command in its own process, but starting a
// process takes longer than most commands.

import { runCommandLine } from '../../src/cli/run-command-line.ts';

export interface CommandInput {
  words: string[];
  environment: Record<string, string>;
}

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

process.on('message', async ({ words, environment }: CommandInput) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    process[stream].write = (text: string | Uint8Array) => {
      output[stream] += typeof text === 'string' ? text : Buffer.from(text).toString();
      return true;
    };
  const code = await runCommandLine(words);
  // `serve` listens for these signals even if it is refused then.
  for (const signal of ['SIGTERM', 'SIGINT']) process.removeAllListeners(signal);
  process.send?.({ code, ...output } satisfies CommandResult);
});
process.on('disconnect', () => process.exit());
