// Tests how long the worker pauses before it settles open intents again, and that it notes the pause.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSettleTurn } from './settle.ts';

async function pauseAfter(nextDueMs?: number) {
  const tally = { recorded: 0, forgotten: 0, open: 1, ...(nextDueMs !== undefined && { nextDueMs }) };
  let notedMs: number | undefined;
  const note = (pauseMs: number) => {
    notedMs = pauseMs;
  };
  const pauseMs = await makeSettleTurn(async () => tally, { note })(new AbortController().signal);
  assert.equal(notedMs, pauseMs, 'callers are told another time');
  return pauseMs;
}

test('without a young intent the pause is ten seconds', async () => {
  assert.equal(await pauseAfter(), 10_000);
});

test('intents that a killed process left are looked up once they are old enough, together', async () => {
  assert.equal(await pauseAfter(1_234), 2_234);
  assert.equal(await pauseAfter(1), 1_001);
});
