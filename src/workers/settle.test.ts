// Tests how long the worker pauses before it settles open intents again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSettleTurn } from './settle.ts';

const pauseAfter = (nextDueMs?: number) => {
  const tally = { recorded: 0, forgotten: 0, open: 1, ...(nextDueMs !== undefined && { nextDueMs }) };
  return makeSettleTurn(async () => tally)(new AbortController().signal);
};

test('without a young intent the pause is half a minute', async () => {
  assert.equal(await pauseAfter(), 30_000);
});

test('an intent that a killed process left is looked up as soon as it is old enough', async () => {
  assert.equal(await pauseAfter(12_345), 12_345);
});

test('the pause is never less than a second', async () => {
  assert.equal(await pauseAfter(1), 1_000);
});
