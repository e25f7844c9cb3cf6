// A short storm: two instances that are killed, a database that restarts, consoles and a mail server that fail, while
// guests, programs and staff order vouchers. `npm run rel -- storm` is the long run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storm } from '../../../rel/storm/run-storm.ts';

test('a storm loses and doubles nothing', { timeout: 600_000 }, async (t) => {
  const { answers, faults, ...report } = await storm({ seconds: 40, kills: 5, restarts: 1, seed: 1 });
  t.diagnostic(JSON.stringify(report));
  assert.deepEqual(faults, []);
  assert.ok((answers['batch 202'] ?? 0) > 0 && (answers['revoke 200'] ?? 0) > 0, JSON.stringify(answers));
});
