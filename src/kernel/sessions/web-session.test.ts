// Tests when a session ends, also if it began while the clock was far ahead.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asUserId } from '../ids.ts';
import { ABSOLUTE_MS, IDLE_MS, isRecent, isSessionOver, STAY_MS, type WebSession } from './web-session.ts';

const NOW_MS = Date.parse('2026-11-17T08:00:00Z');
const YEAR_MS = 365 * 24 * 60 * 60_000;

function sessionAt(atMs: number, { stays = false, seenAtMs = atMs } = {}): WebSession {
  const from = { ip: '192.0.2.1', agent: 'test', external: null };
  const times = { createdAtMs: atMs, seenAtMs, authenticatedAtMs: atMs };
  return { tokenHash: 'x', userId: asUserId(1), ...from, ...times, stays };
}

test('a session ends an hour after the last request or after twelve hours, or 30 days after the last request', () => {
  assert.ok(!isSessionOver(sessionAt(NOW_MS - IDLE_MS + 1), NOW_MS));
  assert.ok(isSessionOver(sessionAt(NOW_MS - IDLE_MS), NOW_MS));
  assert.ok(isSessionOver(sessionAt(NOW_MS - ABSOLUTE_MS, { seenAtMs: NOW_MS }), NOW_MS));
  assert.ok(!isSessionOver(sessionAt(NOW_MS - STAY_MS + 1, { stays: true }), NOW_MS));
  assert.ok(isSessionOver(sessionAt(NOW_MS - STAY_MS, { stays: true }), NOW_MS));
});

test('a session that began while the clock was far ahead is over once the clock is right', () => {
  for (const stays of [false, true]) {
    assert.ok(isSessionOver(sessionAt(NOW_MS + YEAR_MS, { stays }), NOW_MS), `stays: ${stays}`);
    assert.ok(!isSessionOver(sessionAt(NOW_MS + IDLE_MS, { stays }), NOW_MS), `stays: ${stays}`);
  }
});

test('a password that was entered while the clock was ahead is asked again', () => {
  assert.ok(isRecent(sessionAt(NOW_MS - 60_000), NOW_MS));
  assert.ok(isRecent(sessionAt(NOW_MS + 5_000), NOW_MS));
  assert.ok(!isRecent(sessionAt(NOW_MS + YEAR_MS), NOW_MS));
});
