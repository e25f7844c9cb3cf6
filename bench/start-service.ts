// Starts the real service in a separate process, on a free port and, unless told otherwise, on a new data folder.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killAtExit } from './kill-at-exit.ts';
import { creation } from './requests.ts';

/** `BENCH_ROOT` names another clone to measure. */
export function rootFolder(): string {
  return process.env.BENCH_ROOT ?? fileURLToPath(new URL('..', import.meta.url));
}

export interface RunningService {
  url: string;
  keyText: string;
  adminPassword: string;
  dataDir: string;
  process: ChildProcess;
  /** From the start of the process to its first response. */
  startMs: number;
  /** Runs a command on the same installation and returns its output. */
  run(words: string[]): string;
  stop(): Promise<void>;
}

/**
 * With `dataDir`, the service runs on that folder; if it already holds an installation, the API key is not shown again.
 * `settings` are additional environment variables, for example for another database. `program` is `bin/gastpass` of a
 * clone or of a package.
 */
export async function startServiceProcess(
  dataDir?: string,
  settings: Record<string, string> = {},
  program = join(rootFolder(), 'bin', 'gastpass'),
): Promise<RunningService> {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  const startedAt = performance.now();
  const env = {
    // A package has no Node of its own.
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    DATA_DIR: folder,
    PORT: '0',
    ...settings,
  };
  const child = spawn(program, ['serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  killAtExit(child);
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      if (output.length < 5_000) output += chunk;
      const address = /API {6}(http\S+)\/api\n/.exec(output)?.[1];
      if (address && output.includes('Health')) resolve(address);
    });
  });
  const response = await fetch(`${url}/healthz`);
  await response.arrayBuffer();

  return {
    url,
    keyText: /gpk_[0-9A-Za-z]+/.exec(output)?.[0] ?? '',
    adminPassword: /Password +(\S+)\n/.exec(output)?.[1] ?? '',
    dataDir: folder,
    process: child,
    startMs: performance.now() - startedAt,
    // Commands run without what is loaded into the service to measure it.
    run: (words) =>
      execFileSync(program, words, { env: { ...env, LD_PRELOAD: '', NODE_OPTIONS: '' }, encoding: 'utf8' }),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      if (!dataDir) rmSync(folder, { recursive: true });
    },
  };
}

/** Creates vouchers on site 1. */
export async function createVouchers({ url, keyText }: RunningService, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { path, headers, body = '' } = creation(keyText, 1, `Zimmer ${i}`);
    const made = await fetch(url + path, { method: 'POST', headers, body });
    if (made.status !== 201) throw new Error(`POST answered ${made.status}`);
  }
}

/** Returns the text of a new API key with the highest limit there is. */
export function createLimitedKey(service: RunningService, name = 'limited'): string {
  const options = ['--name', name, '--scope', 'write', '--rate-limit', '1000000'];
  const key = /gpk_[0-9A-Za-z]+/.exec(service.run(['keys', 'create', ...options]))?.[0];
  if (!key) throw new Error('no key was created');
  return key;
}
