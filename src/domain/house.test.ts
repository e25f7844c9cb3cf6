// What may be decided for the whole installation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEWEST_VOUCHER_DAYS, isKeepingTime, MOST_DAYS, titleFault } from './house.ts';

test('a title is up to 40 characters that can be seen', () => {
  for (const title of ['G', 'Hotel <script>', '🏨'.repeat(40), 'x'.repeat(40)])
    assert.equal(titleFault(title), undefined, title);
  for (const title of ['', '   ', '\t']) assert.equal(titleFault(title), 'missing');
  for (const title of ['x'.repeat(41), '🏨'.repeat(41)]) assert.equal(titleFault(title), 'too-long');
  for (const sign of ['\0', '\n', '\x1b', '\u202e', '\u200b', '\u2028', '\ud800'])
    assert.equal(titleFault(`Hotel${sign}See`), 'not-plain', JSON.stringify(sign));
});

test('things are kept for ever, or for whole days within bounds', () => {
  for (const days of [null, FEWEST_VOUCHER_DAYS, MOST_DAYS])
    assert.ok(isKeepingTime(days, FEWEST_VOUCHER_DAYS));
  for (const days of [FEWEST_VOUCHER_DAYS - 1, 0, -1, 7.5, Number.NaN, MOST_DAYS + 1])
    assert.equal(isKeepingTime(days, FEWEST_VOUCHER_DAYS), false, String(days));
});
