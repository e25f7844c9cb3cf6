// The schedules of tests/faults/simulated/simulated-schedules.test.ts, a hundred thousand of them.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('../../../rel/run.ts', import.meta.url));

/** In a process of its own: the test runner follows every promise, which makes schedules twice as slow. */
async function simulate(from: number, seeds: number): Promise<string> {
  const words = ['sim', '--from', String(from), '--seeds', String(seeds)];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words]);
  return stdout;
}

test('100,000 schedules lose, double and orphan nothing', async () => {
  const clean = '50000 schedules, 0 with something lost, doubled or orphaned\n';
  assert.deepEqual(await Promise.all([simulate(1, 50_000), simulate(50_001, 50_000)]), [clean, clean]);
});
