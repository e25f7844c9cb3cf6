// Waits until something has happened that a test does not learn of otherwise, for a minute at most.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

export async function until(isSo: () => unknown): Promise<void> {
  const giveUpAt = performance.now() + 60_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < giveUpAt, `not after a minute: ${isSo}`);
    await sleep(1);
  }
}
