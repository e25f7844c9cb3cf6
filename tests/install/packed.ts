// The files that `npm run package` has made, and ways to run programs with the Node that Gastpass supports.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
export const inDist = (name: string): string => join(root, 'dist', name);
export const tarball = inDist(`gastpass-${version}.tgz`);
if (!existsSync(tarball)) throw new Error('there is no package yet: run "npm run package"');

export interface Place {
  cwd: string;
  /** The whole environment: nothing is inherited. */
  env: Record<string, string>;
}

/** A PATH with the supported Node first. npm, which it runs, comes from the machine. */
export const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;

export function run(
  words: string[],
  { cwd, env }: Place,
): { status: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string } {
  const [program = '', ...rest] = words;
  return spawnSync(program, rest, { cwd, env, encoding: 'utf8' });
}

export interface Started {
  output: string;
  url: string;
  /** Returns the exit code. */
  stop(): Promise<number | null>;
}

/** Starts a service, and waits until it has printed its addresses and credentials. */
export function startService(words: string[], { cwd, env }: Place): Promise<Started> {
  const [program = '', ...rest] = words;
  const child = spawn(program, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (text: string) => {
      output += text;
      const url = /Health +(\S+)\/readyz\n[^{]*\{/.exec(output)?.[1];
      if (url) resolve({ output, url, stop });
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
    void ended.then(() => reject(new Error(`the service ended: ${output}`)));
  });

  async function stop(): Promise<number | null> {
    child.kill('SIGTERM');
    const code = await ended;
    process.off('exit', kill);
    return code;
  }
}
