// Tests durations in words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sayWait } from './durations.ts';

test('a wait is said in seconds up to two minutes, then in minutes', () => {
  assert.equal(sayWait(1, 'de'), '1 Sekunde');
  assert.equal(sayWait(120, 'en'), '120 seconds');
  assert.equal(sayWait(121, 'de'), '3 Minuten');
  assert.equal(sayWait(900, 'en'), '15 minutes');
});
