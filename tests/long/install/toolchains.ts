// The common versions of Node and npm, and functions that fetch them from the npm registry and run them.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Versions {
  node: string;
  npm: string;
}

/** Each npm with a Node that contains it, or that is commonly used with it. */
export const VERSIONS: Versions[] = [
  { node: '18', npm: '9.2' }, // Debian 12
  { node: '20', npm: '9.9' },
  { node: '20', npm: '10.5' },
  { node: '20', npm: '10.8' },
  { node: '22', npm: '10.9' },
  { node: '24', npm: '11.0' },
  { node: '24', npm: '11.6' },
  { node: '24', npm: 'latest' },
];

export interface Ran {
  /** Null if the command was stopped after its timeout. */
  code: number | null;
  output: string;
}

export interface Toolchain {
  versions: Versions;
  /** The versions that the programs report. */
  exact: Versions;
  env: Record<string, string>;
  /** Runs npm in a folder. */
  runNpm(
    folder: string,
    words: string[],
    options: { timeoutMs: number; env?: Record<string, string> },
  ): Promise<Ran>;
  /** The command line of npm, for a long-running program. */
  command(...words: string[]): [string, ...string[]];
}

const FETCH_MS = 180_000;

/** Fetches Node and npm, each into its own folder below `folder`, unless they are already there. */
export async function fetchToolchain(folder: string, versions: Versions): Promise<Toolchain> {
  const nodeFolder = join(folder, `node-${versions.node}`);
  const npmFolder = join(folder, `npm-${versions.npm}`);
  const nodePackage = `node-${process.platform}-${process.arch}`;
  await fetchPackage(nodeFolder, `${nodePackage}@${versions.node}`);
  await fetchPackage(npmFolder, `npm@${versions.npm}`);
  const nodeBin = join(nodeFolder, 'node_modules', nodePackage, 'bin');
  const npmCli = join(npmFolder, 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const env = cleanEnvironment();
  env.PATH = `${nodeBin}${delimiter}${env.PATH}`;
  const command = (...words: string[]): [string, ...string[]] => [join(nodeBin, 'node'), npmCli, ...words];
  const runNpm: Toolchain['runNpm'] = (cwd, words, options) =>
    run(command(...words), { cwd, timeoutMs: options.timeoutMs, env: { ...env, ...options.env } });
  const [node, npmVersion] = await Promise.all([
    run([join(nodeBin, 'node'), '--version'], { cwd: folder, env, timeoutMs: FETCH_MS }),
    runNpm(folder, ['--version'], { timeoutMs: FETCH_MS }),
  ]);
  const exact = {
    node: node.output.trim().replace(/^v/, ''),
    npm: npmVersion.output.trim().split('\n').at(-1) ?? '',
  };
  return { versions, exact, env, runNpm, command };
}

async function fetchPackage(folder: string, wanted: string): Promise<void> {
  if (existsSync(join(folder, 'node_modules'))) return;
  mkdirSync(folder, { recursive: true });
  const words = [
    'npm',
    'install',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefix',
    folder,
  ];
  const { code, output } = await run([...words, wanted], {
    cwd: folder,
    timeoutMs: FETCH_MS,
    env: cleanEnvironment(),
  });
  if (code !== 0) throw new Error(`${wanted} could not be fetched:\n${output}`);
}

/** Removes the variables that npm sets for the scripts it runs: they would affect the npm under test. */
function cleanEnvironment(): Record<string, string> {
  const isOfNpm = (name: string) => name.startsWith('npm_') && name !== 'npm_config_registry';
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value = '']) => (isOfNpm(name) ? [] : [[name, value]])),
  );
}

export function run(
  [program, ...words]: string[],
  { cwd, env, timeoutMs, uid }: { cwd: string; env: Record<string, string>; timeoutMs: number; uid?: number },
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    // Starts a process group, so that a hanging program is killed together with its child processes.
    const child = spawn(program ?? '', words, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid !== undefined && { uid, gid: uid }),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), timeoutMs);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}
