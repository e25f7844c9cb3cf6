// Tests lenient parsing of integers: numbers and decimal strings are accepted, any other value counts as absent.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { parseSiteId } from '../../kernel/contract/read-site-id.ts';
import { readInteger } from './read-integer.ts';

describe('an integer is read from', () => {
  const readable: [value: unknown, number: number][] = [
    [7, 7],
    [0, 0],
    [-3, -3],
    [7.99, 7],
    [-7.99, -7],
    [1e3, 1000],
    ['7', 7],
    ['007', 7],
    ['+7', 7],
    ['-7', -7],
    ['7.9', 7],
    ['7.', 7],
    ['.9', 0],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['25e-1', 2],
    [' 7 ', 7],
    ['\t7\n', 7],
    ['2147483648', 2_147_483_648],
  ];
  for (const [value, number] of readable)
    test(JSON.stringify(value), () => {
      assert.equal(readInteger(value), number);
    });
});

describe('values that count as absent', () => {
  const absent: unknown[] = [
    ...[undefined, null, true, false, [], [7], {}, { valueOf: 7 }],
    ...[
      '',
      ' ',
      'abc',
      '1abc',
      '0x1',
      '0b1',
      '1_000',
      '1,5',
      '1 2',
      '--1',
      '+',
      '.',
      'e3',
      '1e',
      'NaN',
      'Infinity',
    ],
    ...['١', '7️⃣', '7\0', 'null', 'true', '[7]'],
  ];
  for (const value of absent)
    test(typeof value === 'string' ? `the text "${value}"` : `${JSON.stringify(value)}`, () => {
      assert.equal(readInteger(value), undefined);
    });
});

test('numbers too large for any bound stay too large', () => {
  assert.equal(readInteger('1e999'), Number.POSITIVE_INFINITY);
  assert.equal(readInteger('-1e999'), Number.NEGATIVE_INFINITY);
  assert.equal(readInteger(1e308), 1e308);
});

test('a long text that resembles a number cannot block the service', () => {
  const module = JSON.stringify(new URL('./read-integer.ts', import.meta.url).href);
  const script = `
    const { readInteger } = await import(${module});
    for (const unit of ['1', '1.', '.1', '1e', ' ', '+']) readInteger(unit.repeat(200_000) + 'x');`;
  const program = ['--input-type=module', '-e', script];
  // Runs in a separate process, which the time-out can kill if the expression hangs. Matching in quadratic time takes
  // more than a minute.
  const { status } = spawnSync(process.execPath, program, { timeout: 30_000 });
  assert.equal(status, 0);
});

describe('site_id', () => {
  test('is any number above 0 after its fraction is cut off', () => {
    assert.equal(parseSiteId('12'), 12);
    assert.equal(parseSiteId(1.9), 1);
    for (const value of [0, -1, 0.9, '-0', '0', -0.5, 'abc', null, undefined, Number.NaN, '-1e999'])
      assert.equal(parseSiteId(value), undefined, String(value));
  });

  test('above the largest possible id stands for a site that does not exist', () => {
    assert.equal(parseSiteId(2_147_483_647), 2_147_483_647);
    for (const value of [2_147_483_648, '1e999', 1e308]) assert.equal(parseSiteId(value), 0);
  });
});
