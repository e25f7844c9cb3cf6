// Tests the timestamps of the API against those of JavaScript.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toTimestamp } from './present-voucher.ts';

const LAST_S = Date.parse('9999-12-31T23:59:59Z') / 1_000;

test('a timestamp is the ISO time in UTC without fractions of a second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: LAST_S }), (seconds) => {
      assert.equal(toTimestamp(seconds), new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z'));
    }),
    { numRuns: 2_000, examples: [[0], [86_399], [86_400], [LAST_S]] },
  );
});
