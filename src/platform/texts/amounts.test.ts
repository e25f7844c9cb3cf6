// Tests speeds and data volumes: how they are shown, and that every stored value survives a form.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_INTEGER } from '../../kernel/vouchers/voucher-order.ts';
import { readThousands, saySpeed, sayVolume, toThousands } from './amounts.ts';

test('speeds are shown in Mbit/s, data volumes in GB, below 1 GB in MB', () => {
  assert.equal(saySpeed(2_500, 'de'), '2,5\u00a0Mbit/s');
  assert.equal(saySpeed(2_500, 'en'), '2.5\u00a0Mbit/s');
  assert.equal(saySpeed(64, 'de'), '0,064\u00a0Mbit/s');
  assert.equal(sayVolume(500, 'de'), '500\u00a0MB');
  assert.equal(sayVolume(1_000, 'de'), '1\u00a0GB');
  assert.equal(sayVolume(1_048_576, 'en'), '1,048.576\u00a0GB');
});

test('every stored value is read back unchanged', () => {
  for (const language of ['de', 'en'] as const)
    for (const value of [0, 1, 10, 64, 300, 999, 1_000, 1_001, 1_024, 2_500, 100_000, 1_048_576, MAX_INTEGER])
      assert.equal(readThousands(toThousands(value, language), language), value, `${language} ${value}`);
});

test('comma and point both separate decimals, unless they may separate thousands', () => {
  for (const language of ['de', 'en'] as const)
    for (const text of ['2,5', '2.5', '2.50']) assert.equal(readThousands(text, language), 2_500, text);
  assert.equal(readThousands('1,024', 'de'), 1_024);
  assert.equal(readThousands('1.024', 'en'), 1_024);
  assert.equal(readThousands('1.024', 'de'), undefined);
  assert.equal(readThousands('1,024', 'en'), undefined);
  for (const text of ['', '-1', '1e3', '0,0001', '1.000,5', ',5', '5,', 'x', '٣'])
    assert.equal(readThousands(text, 'de'), undefined, text);
});
