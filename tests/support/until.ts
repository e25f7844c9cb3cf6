// Waits until something has happened that a test does not learn of in another way.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Patience {
  /** What to say if it never happens. By default, the condition itself. */
  otherwise?: string | (() => string);
  patienceMs?: number;
  /** The pause between two looks. */
  everyMs?: number;
  /** If false, the process may end meanwhile. */
  ref?: boolean;
}

export async function until(
  isSo: () => unknown,
  { otherwise = String(isSo), patienceMs = 60_000, everyMs = 10, ref = true }: Patience = {},
): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt)
      assert.fail(`not after ${patienceMs} ms: ${typeof otherwise === 'string' ? otherwise : otherwise()}`);
    await sleep(everyMs, undefined, { ref });
  }
}
