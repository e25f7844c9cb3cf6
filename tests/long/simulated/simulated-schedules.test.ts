// 100,000 of the schedules of tests/faults/simulated/simulated-schedules.test.ts.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('../../../rel/run.ts', import.meta.url));

/** In a separate process: the test runner tracks every promise, which makes schedules twice as slow. */
async function simulate(from: number, seeds: number): Promise<string> {
  const words = ['sim', '--from', String(from), '--seeds', String(seeds)];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words]);
  return stdout;
}

test('100,000 schedules lose, duplicate and orphan no voucher', async () => {
  const clean = '50000 schedules, 0 with something lost, doubled or orphaned\n';
  assert.deepEqual(await Promise.all([simulate(1, 50_000), simulate(50_001, 50_000)]), [clean, clean]);
});
