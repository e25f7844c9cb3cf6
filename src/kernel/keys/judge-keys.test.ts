// Tests which API keys doctor and the page "System health" warn about, and how many names the text has.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFormats } from '../health/health-said.ts';
import { MESSAGES } from '../texts/messages.ts';
import { judgeKeys } from './judge-keys.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW_MS = Date.UTC(2026, 10, 19);

function key(name: string, { ageDays = 300, daysLeft = 10 as number | null, isRevoked = false } = {}) {
  return {
    name,
    createdAtMs: NOW_MS - ageDays * DAY_MS,
    expiresAtMs: daysLeft === null ? null : NOW_MS + daysLeft * DAY_MS,
    revokedAtMs: isRevoked ? NOW_MS : null,
  };
}

test('keys that end within 14 days are one warning, the first to end first', () => {
  assert.deepEqual(judgeKeys([key('A'), key('B', { daysLeft: 3 }), key('C', { daysLeft: 14 })], NOW_MS), [
    {
      state: 'warning',
      fact: { kind: 'keys-ending', keys: ['B', 'A', 'C'], firstAtMs: NOW_MS + 3 * DAY_MS },
    },
  ]);
});

test('nothing is said about keys that end later, never or already, were revoked, or live for 30 days', () => {
  const all = [
    key('later', { daysLeft: 15 }),
    key('never', { daysLeft: null }),
    key('expired', { daysLeft: 0 }),
    key('revoked', { isRevoked: true }),
    key('short', { ageDays: 20 }),
  ];
  assert.deepEqual(judgeKeys(all, NOW_MS), []);
  assert.equal(judgeKeys([key('longer', { ageDays: 21 })], NOW_MS).length, 1);
});

test('the text names five keys at most, in both languages', () => {
  const text = (language: 'de' | 'en', count: number) => {
    const formats = makeFormats({ language, timeZone: 'UTC' }, String);
    const keys = Array.from({ length: count }, (_, at) => `${at}`.repeat(40));
    const fact = { kind: 'keys-ending', keys, firstAtMs: NOW_MS } as const;
    return MESSAGES[language].health.said['keys-ending'](fact, formats).text;
  };
  assert.match(text('en', 1), /^0{40} expires on /);
  assert.match(text('de', 1), /^0{40} läuft am .* ab\./);
  assert.match(text('en', 1_000), /^0{40}, 1{40}, 2{40}, 3{40}, 4{40} and 995 more expire /);
  assert.match(text('de', 1_000), /, 4{40} und 995 weitere laufen /);
});
