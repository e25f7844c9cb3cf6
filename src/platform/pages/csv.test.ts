// Tests CSV: quoting keeps every value in its cell, and no text cell is a formula.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from './csv.ts';

test('quotes, separators and line breaks stay within their cell', () => {
  assert.equal(toCsv([['a', 'b,c', 'd"e', 'f\r\ng', 7, null]]), '\ufeff"a","b,c","d""e","f\r\ng",7,""\r\n');
});

test('a text that begins like a formula stays text, and numbers stay numbers', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1＋1', '＋1', '－1', '＠SUM(A1)'])
    assert.ok(toCsv([[text]]).includes(`"'${text}"`), text);
  assert.ok(toCsv([['x;"=1+1;y']]).includes(`"x;""'=1+1;y"`));
  assert.ok(toCsv([['Anna;=1+1; @x']]).includes(`"Anna;'=1+1; '@x"`));
  assert.equal(toCsv([[-5]]), '\ufeff-5\r\n');
});
