// Tests which texts can be stored, and that the others become visible where they are only shown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toOneLine } from './one-line.ts';
import { isStorable, toStorable } from './storable-text.ts';

test('only NUL characters and halves of characters cannot be stored', () => {
  for (const text of ['', 'a', '😀', '\u0001\n\u202e\ufffd\uffff']) {
    assert.ok(isStorable(text));
    assert.equal(toStorable(text), text);
  }
  for (const text of ['\0', 'a\0b', '\ud800', '\udc00a', '😀'.slice(1)]) assert.ok(!isStorable(text));
  assert.equal(toStorable('a\0b\ud800c'), 'a\ufffdb\ufffdc');
});

test('a text on one line can be stored, whatever it was', () => {
  for (const text of ['a\0b', 'a\ud800b', '\udc00', `${'x'.repeat(298)}😀😀`])
    assert.ok(isStorable(toOneLine(text)));
});
