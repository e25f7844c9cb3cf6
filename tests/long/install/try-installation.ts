// Does what a new user does with one Node and one npm, in a copy of the project: install it, start it, create a first
// voucher. Once for use, without the development packages, and once for development.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Toolchain } from './toolchains.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const NOT_COPIED = ['node_modules', '.git', 'data', 'dist', '.cache'];
/** Folders that an installation for use does not need. */
const FOR_DEVELOPMENT = ['tests', 'bench', 'rel', 'packaging'];
/** npm 10.5 is known to loop forever on some lockfiles instead of failing. */
const INSTALL_MS = 180_000;
const START_MS = 120_000;

export interface Tried {
  /** The duration in seconds, or an error message. */
  forUse: number | string;
  firstVoucher: string;
  npx: string;
  forDevelopment: number | string;
}

export async function tryInstallation(toolchain: Toolchain, folder: string): Promise<Tried> {
  const project = join(folder, `project-node-${toolchain.versions.node}-npm-${toolchain.versions.npm}`);
  copyProject(project);
  const forDevelopment = await install(toolchain, project, []);
  for (const name of FOR_DEVELOPMENT) rmSync(join(project, name), { recursive: true });
  const forUse = await install(toolchain, project, ['--omit=dev']);
  const tried = typeof forUse === 'number' ? await firstVoucher(toolchain, project) : undefined;
  return { forDevelopment, forUse, firstVoucher: tried?.voucher ?? '-', npx: tried?.npx ?? '-' };
}

export function copyProject(to: string): void {
  cpSync(root, to, { recursive: true, filter: (path) => !NOT_COPIED.includes(basename(path)) });
}

/** Returns the duration in seconds, or the end of npm's output. */
export async function install(
  { runNpm }: Toolchain,
  project: string,
  options: string[],
): Promise<number | string> {
  const startedAt = performance.now();
  const { code, output } = await runNpm(project, ['ci', ...options], { timeoutMs: INSTALL_MS });
  if (code === null) return `stopped after ${INSTALL_MS / 1000} s`;
  if (code !== 0) return `exit code ${code}: ${output.trim().slice(-600)}`;
  return Math.round((performance.now() - startedAt) / 1000);
}

/** Runs `npm start`, then the request that it prints, and a command while the service runs. */
async function firstVoucher(
  toolchain: Toolchain,
  project: string,
): Promise<{ voucher: string; npx: string }> {
  const env = { DATA_DIR: join(project, 'data'), PORT: '0' };
  const [program, ...words] = toolchain.command('start');
  const child = spawn(program, words, {
    cwd: project,
    env: { ...toolchain.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let output = '';
  const printed = new Promise<RegExpExecArray | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), START_MS);
    const read = (text: string) => {
      output += text;
      const found = /curl -X POST (\S+) \\\s+-H 'Authorization: ([^']+)' \\\s+-d '([^']+)'/.exec(output);
      if (found) resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('close', () => resolve(null));
    void closed.then(() => clearTimeout(timer));
  });
  try {
    const found = await printed;
    if (!found) return { voucher: `not started: ${output.trim().slice(-600)}`, npx: '-' };
    return await orderVoucher(found);
  } finally {
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await closed;
  }

  async function orderVoucher(found: RegExpExecArray) {
    const [, url = '', authorization = '', body = ''] = found;
    const response = await fetch(url, { method: 'POST', headers: { authorization }, body });
    const { code: voucherCode } = JSON.parse(await response.text());
    const npx = await toolchain.runNpm(project, ['exec', '--', 'gastpass', 'sites', 'list'], {
      timeoutMs: START_MS,
      env,
    });
    return {
      voucher: `${response.status} ${/^\d{10}$/.test(voucherCode) ? 'with a code' : 'without a code'}`,
      npx: /^1 +Demo/m.test(npx.output) ? 'ok' : `exit code ${npx.code}: ${npx.output.trim().slice(-600)}`,
    };
  }
}
