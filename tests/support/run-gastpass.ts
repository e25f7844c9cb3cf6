// Runs commands on the engine under test, either to their end or as a running service. The commands do not inherit the
// environment of the test, and they end with the test process.

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandInput, CommandResult } from './command-runner.ts';
import { databaseSettings, dropDatabases } from './engine.ts';

const RUNNER = fileURLToPath(new URL('command-runner.ts', import.meta.url));
const THIS_RELEASE = fileURLToPath(new URL('../../', import.meta.url));
const PATIENCE_MS = 120_000;
/** All processes of a test run share this cache, so that they start faster, and these options. */
const { NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  dataDir?: string;
  environment?: Record<string, string>;
  /** The text on standard input. */
  input?: string;
  /** Options for Node itself, placed before the program. */
  nodeOptions?: string[];
  node?: string;
  /** A program that runs the command, such as a shell that sets limits. */
  prefix?: string[];
  /** The folder of another release. */
  release?: string;
}

/** Makes a temporary folder. `remove` deletes the folder and the databases of the installations in it. */
export function makeFolder(parent = tmpdir()): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(parent, 'gastpass-test-'));
  return {
    folder,
    remove() {
      rmSync(folder, { recursive: true, force: true });
      dropDatabases(folder);
    },
  };
}

/**
 * Commands share a process, and so do services that must not start, unless an option requires a separate process. In
 * the long tier each command has its own process, as it has for users.
 */
export async function runGastpass(words: string[], options: RunOptions = {}): Promise<Ended> {
  const { dataDir, environment, ...special } = options;
  const isShared = Object.keys(special).length === 0;
  if (isShared && !process.env.TEST_COMMANDS_APART) return runShared(words, options);
  const child = await start(words, options);
  const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  return collect(child).ended.finally(() => clearTimeout(impatience));
}

/** Creates the database: only the service does it otherwise. */
export async function makeDatabase(dataDir: string): Promise<void> {
  const { code, stderr } = await runGastpass(['migrate'], { dataDir });
  if (code !== 0) throw new Error(stderr);
}

export interface RunningGastpass {
  child: ChildProcess;
  url: string;
  /** The output so far. */
  stdout(): string;
  ended: Promise<Ended>;
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/** Starts `serve` on a free port, and waits until it prints its URL and responds to a first request. */
export async function startGastpass(options: RunOptions = {}): Promise<RunningGastpass> {
  const service = await announcedGastpass(options);
  await (await fetch(`${service.url}/healthz`)).text();
  return service;
}

/** Starts `serve` on a free port, and waits only until it prints its URL. */
export async function announcedGastpass(options: RunOptions = {}): Promise<RunningGastpass> {
  const child = await start(['serve'], { ...options, environment: { PORT: '0', ...options.environment } });
  const { ended, output } = collect(child);
  const url = await new Promise<string>((resolve, reject) => {
    const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    child.stdout?.on('data', () => {
      const health = /Health +(http:\S+)\/readyz\n/.exec(output.stdout)?.[1];
      if (health === undefined) return;
      clearTimeout(impatience);
      resolve(health);
    });
    ended.then(({ code, signal, stderr }) => {
      clearTimeout(impatience);
      reject(new Error(`the service ended with ${code ?? signal}: ${stderr}`));
    }, reject);
  });
  return {
    child,
    url,
    stdout: () => output.stdout,
    ended,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

/** Calls the API of a running service. */
export async function callApi(
  service: { url: string },
  request: {
    key: string;
    path?: string;
    /** POST if there is a body. */
    method?: 'GET' | 'POST';
    body?: unknown;
    headers?: Record<string, string>;
  },
): Promise<{ status: number; headers: Headers; json: ReturnType<typeof JSON.parse> }> {
  const { key, path = 'vouchers.php', body, method = body === undefined ? 'GET' : 'POST', headers } = request;
  const response = await fetch(`${service.url}/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

let runner: ChildProcess | undefined;
let lastShared: Promise<unknown> = Promise.resolve();

function runShared(words: string[], options: RunOptions): Promise<Ended> {
  const ended = lastShared.then(async () => {
    runner ??= startRunner();
    const order: CommandInput = { words, environment: await environmentOf(options) };
    const impatience = setTimeout(() => runner?.kill('SIGKILL'), PATIENCE_MS);
    runner.ref();
    runner.channel?.ref();
    runner.send(order);
    const [result]: CommandResult[] = await once(runner, 'message');
    runner.channel?.unref();
    runner.unref();
    clearTimeout(impatience);
    if (!result) throw new Error('the command runner ended');
    return { ...result, signal: null };
  });
  lastShared = ended.catch(() => {});
  return ended;
}

function startRunner(): ChildProcess {
  const child = fork(RUNNER, {
    env: { NODE_COMPILE_CACHE, NODE_OPTIONS },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', (code, signal) => {
    process.off('exit', end);
    runner = undefined;
    // Rejects the promise of the running command.
    if (child.listenerCount('error') > 0)
      child.emit('error', new Error(`the command runner ended with ${code ?? signal}`));
  });
  return child;
}

async function environmentOf({ dataDir, environment, node }: RunOptions): Promise<Record<string, string>> {
  return {
    PATH: process.env.PATH ?? '',
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    // Another Node may not know these options.
    ...(NODE_OPTIONS && node === undefined && { NODE_OPTIONS }),
    ...(dataDir !== undefined && { DATA_DIR: dataDir, ...(await databaseSettings(dataDir)) }),
    ...environment,
  };
}

async function start(words: string[], options: RunOptions): Promise<ChildProcess> {
  const { input, nodeOptions = [], node = process.execPath, prefix = [], release = THIS_RELEASE } = options;
  const gastpass = join(release, 'bin/gastpass.js');
  const [program = node, ...rest] = [...prefix, node, ...nodeOptions, gastpass, ...words];
  const child = spawn(program, rest, {
    env: await environmentOf(options),
    stdio: 'pipe',
  });
  // A command that does not read its input may end before the input is written.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input ?? '');
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('close', () => process.off('exit', end));
  return child;
}

function collect(child: ChildProcess) {
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...output }));
  });
  return { output, ended };
}
