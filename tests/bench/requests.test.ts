// Tests the requests of the benchmarks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeWrong } from '../../bench/requests.ts';

test('a wrong key is never the right one', () => {
  for (const keyText of ['gpk_12345678x', 'gpk_12345678y', 'gpk_12345678a']) {
    assert.notEqual(makeWrong(keyText), keyText);
    assert.equal(makeWrong(keyText).length, keyText.length);
  }
});
