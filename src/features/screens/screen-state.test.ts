// Tests when a screen counts as silent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastHeardMs, screenState } from './screen-state.ts';

const MINUTE_MS = 60_000;
const NOW_MS = 1_000 * MINUTE_MS;
const ago = (minutes: number) => NOW_MS - minutes * MINUTE_MS;
const kiosk = { kind: 'kiosk', pairedAtMs: null, seenAtMs: null, lookedAtMs: null, idleMinutes: 60 } as const;
const rolling = { ...kiosk, kind: 'rolling' } as const;

test('a screen waits until a device is paired', () => {
  assert.equal(screenState(kiosk, NOW_MS), 'waiting');
  assert.equal(screenState(rolling, NOW_MS), 'waiting');
  assert.equal(lastHeardMs(kiosk), null);
});

test('a kiosk is silent after 15 minutes without a request', () => {
  const paired = { ...kiosk, pairedAtMs: ago(500) };
  assert.equal(screenState({ ...paired, seenAtMs: ago(15) }, NOW_MS), 'online');
  assert.equal(screenState({ ...paired, seenAtMs: ago(16) }, NOW_MS), 'silent');
  assert.equal(screenState({ ...paired, kind: 'unknown', seenAtMs: ago(16) }, NOW_MS), 'online');
});

test('a rolling code is silent only after its idle time, also on a display that is not paired', () => {
  assert.equal(screenState({ ...rolling, lookedAtMs: ago(60) }, NOW_MS), 'online');
  assert.equal(screenState({ ...rolling, lookedAtMs: ago(61) }, NOW_MS), 'silent');
  const paired = { ...rolling, pairedAtMs: ago(500), seenAtMs: ago(80) };
  assert.equal(screenState({ ...paired, lookedAtMs: ago(20) }, NOW_MS), 'online');
  assert.equal(screenState({ ...rolling, lookedAtMs: ago(16), idleMinutes: 1 }, NOW_MS), 'silent');
});

test('a time in the future, from a clock that was set back, is no sign of life', () => {
  assert.equal(screenState({ ...kiosk, pairedAtMs: ago(9), seenAtMs: ago(-100) }, NOW_MS), 'silent');
});
