// Tests the value readers: invalid values, and times that no date could show, become undefined.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNIFI_CODE } from '../unifi/limits.ts';
import { readCount, readId, readMinutes, readSecondsMs, readText, readTimeMs, toCode } from './decode.ts';

test('times are read if a calendar can show them', () => {
  assert.equal(readSecondsMs(1_762_700_400), 1_762_700_400_000);
  assert.equal(readSecondsMs('1762700400'), 1_762_700_400_000);
  assert.equal(readTimeMs('2026-01-15T11:28:51Z'), Date.UTC(2026, 0, 15, 11, 28, 51));
  for (const odd of [9e15, -1, 1.5, null, 'soon', {}, 99_999_999_999])
    assert.equal(readSecondsMs(odd), undefined);
  for (const odd of ['+012345-01-01T00:00:00Z', '1950-01-01', 'soon', 7, null])
    assert.equal(readTimeMs(odd), undefined);
});

test('a validity that would exceed all dates is undefined', () => {
  assert.equal(readMinutes(1_000_000), 1_000_000);
  assert.equal(readMinutes(2_147_483_648), undefined);
});

test('counts may be strings, and codes may be numbers that have lost leading zeros', () => {
  assert.equal(readCount('2048'), 2_048);
  assert.equal(readCount('2e3'), undefined);
  assert.equal(toCode(482_715_936, UNIFI_CODE), '0482715936');
  assert.equal(toCode('04827-15936', UNIFI_CODE), '0482715936');
  assert.equal(toCode('abc', UNIFI_CODE), null);
});

test('a character that cannot be stored is shown in a name, and makes an id undefined', () => {
  assert.equal(readText('Zimmer\0 4\ud800'), 'Zimmer\ufffd 4\ufffd');
  for (const odd of ['a\0', 'a\ud800', 7, null]) assert.equal(readId(odd), undefined);
  assert.equal(readId('a-7'), 'a-7');
  assert.deepEqual([readId('a'.repeat(64)), readId('a'.repeat(65))], ['a'.repeat(64), undefined]);
});
