// A console that damages its answers, 2,000 for each call of a driver: nothing crashes, memory does not grow and no
// voucher is lost. `npm run rel -- console` is the long run of the same scenario.

import assert from 'node:assert/strict';
import { constants, setPriority } from 'node:os';
import { test } from 'node:test';
import type { FuzzedKind } from '../../../rel/console/fuzz-lane.ts';
import { CALLS, describeRun, faultsOf, fuzzConsole } from '../../../rel/console/run-console.ts';

const RESPONSES = 2_000;
const SEED = 1;
const PATIENCE_MS = 40 * 60_000;

export function fuzzDriver(kind: FuzzedKind): void {
  test(`${kind}: damaged answers crash nothing, fill no memory and lose no voucher`, {
    timeout: PATIENCE_MS,
  }, async (t) => {
    // Takes minutes of one core: the tests beside it, many of which wait for a deadline, go first.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    const options = { kind, answers: RESPONSES, seed: SEED };
    const report = await fuzzConsole(options);
    t.diagnostic(describeRun(report, options));
    assert.deepEqual(faultsOf(report), []);
    assert.deepEqual(
      report.lanes.map(({ name, mutated }) => [name, mutated >= RESPONSES]),
      CALLS[kind].map((operation) => [`${kind} ${operation}`, true]),
    );
  });
}
