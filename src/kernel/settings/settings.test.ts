// Tests the rules for the settings of an installation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isKeepingTime, MAX_DAYS, MIN_VOUCHER_DAYS, titleIssue } from './settings.ts';

test('a title has up to 40 visible characters', () => {
  for (const title of ['G', 'Hotel <script>', '🏨'.repeat(40), 'x'.repeat(40)])
    assert.equal(titleIssue(title), undefined, title);
  for (const title of ['', '   ', '\t']) assert.equal(titleIssue(title), 'missing');
  for (const title of ['x'.repeat(41), '🏨'.repeat(41)]) assert.equal(titleIssue(title), 'too-long');
  for (const sign of ['\0', '\n', '\x1b', '\u202e', '\u200b', '\u2028', '\ud800'])
    assert.equal(titleIssue(`Hotel${sign}See`), 'not-plain', JSON.stringify(sign));
});

test('records are kept for ever, or for a number of whole days within bounds', () => {
  for (const days of [null, MIN_VOUCHER_DAYS, MAX_DAYS]) assert.ok(isKeepingTime(days, MIN_VOUCHER_DAYS));
  for (const days of [MIN_VOUCHER_DAYS - 1, 0, -1, 7.5, Number.NaN, MAX_DAYS + 1])
    assert.equal(isKeepingTime(days, MIN_VOUCHER_DAYS), false, String(days));
});
