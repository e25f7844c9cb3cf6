// Tests how long a request is told to wait for the next search.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeNextSearch } from './next-search.ts';

test('the time until the next search is told in whole seconds, at least one', () => {
  let nowMs = 5_000;
  const { note, leftS } = makeNextSearch(() => nowMs);
  note(10_000);
  assert.equal(leftS(), 10);
  nowMs += 8_001;
  assert.equal(leftS(), 2);
  nowMs += 1_998;
  assert.equal(leftS(), 1);
});

test('while a search is running, callers come back soon', () => {
  let nowMs = 0;
  const { note, leftS } = makeNextSearch(() => nowMs);
  assert.equal(leftS(), 2, 'before the first search');
  note(10_000);
  nowMs += 60_000;
  assert.equal(leftS(), 2);
});
