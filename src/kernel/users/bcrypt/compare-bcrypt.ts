// Compares a password with bcrypt hashes of another tool. bcrypt in JavaScript occupies a CPU core for up to a second,
// so it runs in a worker thread and does not delay requests. Each password gets a thread of its own.

import { Worker } from 'node:worker_threads';

const PATIENCE_MS = 30_000;

/**
 * Returns whether the password matches the first hash. The other hashes are compared only to take up time, so that the
 * duration does not reveal which account was moved in.
 */
export function compareBcrypt(password: string, hashes: string[]): Promise<boolean> {
  const worker = new Worker(new URL(import.meta.resolve('#bcrypt-worker')), {
    workerData: { password, hashes },
  });
  const timer = setTimeout(() => void worker.terminate(), PATIENCE_MS);
  return new Promise<boolean>((resolve, reject) => {
    worker.once('message', (isRight) => resolve(isRight === true));
    worker.once('error', reject);
    worker.once('exit', () =>
      reject(new Error('the thread that compares a password ended without a result')),
    );
  }).finally(() => clearTimeout(timer));
}
