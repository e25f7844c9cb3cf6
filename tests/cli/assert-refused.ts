// Asserts that `gastpass serve` refuses to start: it ends at once, with one clear line on stderr.

import assert from 'node:assert/strict';
import { type RunOptions, runGastpass } from '../support/run-gastpass.ts';

export const environment = { GASTPASS_DEMO: '0', PORT: '0' };

export async function assertRefused(options: RunOptions, reason: RegExp, expectedCode = 1): Promise<void> {
  const { code, stdout, stderr } = await runGastpass(['serve'], { environment, ...options });
  assert.match(stderr, reason);
  assert.match(stderr, /^gastpass: [^\n]+\n$/);
  // A new database is migrated first, which is logged.
  assert.match(stdout, /^(\{"level":"info"[^\n]*"schema 0 → [^\n]*\n)?$/);
  assert.equal(code, expectedCode);
}
