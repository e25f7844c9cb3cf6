// Runs a test file on a small disk of its own, which it may fill: a tmpfs in a mount namespace, so that no other
// process sees it and nothing is left of it. Root makes the namespace directly, other users make it in a user
// namespace.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const isRoot = process.getuid?.() === 0;
export const UNSHARE = ['unshare', ...(isRoot ? [] : ['--user', '--map-root-user']), '--mount'];
/** Mounting needs root; the tests then run as the user who started them, because PostgreSQL refuses to run as root. */
const BACK = isRoot
  ? []
  : ['unshare', '--user', `--map-user=${process.getuid?.()}`, `--map-group=${process.getgid?.()}`];
const MOUNT = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && shift 2 && exec "$@"';

/** The tests find the folder of the disk in `SMALL_DISK`. */
export async function runOnSmallDisk(
  file: string,
  { size }: { size: string },
): Promise<{ code: number | null; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-disk-'));
  // Otherwise Node takes the tests for a part of this run and prints nothing that can be read.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const tests = [process.execPath, '--test', '--test-reporter=spec', file];
  const [program = '', ...words] = [...UNSHARE, 'sh', '-c', MOUNT, 'sh', size, folder, ...BACK, ...tests];
  const child = spawn(program, words, { env: { ...env, SMALL_DISK: folder } });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  process.off('exit', end);
  rmSync(folder, { recursive: true });
  return { code, output };
}
