// Tests that text of unknown origin cannot act on a terminal or in a log.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeControls, withoutControls } from './control-characters.ts';

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));
const CONTROLS = [...range(0x00, 0x1f), ...range(0x7f, 0x9f), '\u2028', '\u2029'];
const DIRECTIONS = ['\u061c', '\u200e', '\u200f', ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)];
/** All characters but these act on nothing. */
const OTHERS = range(0, 0xffff).filter((one) => !CONTROLS.includes(one) && !DIRECTIONS.includes(one));

test('every control character becomes a space, and a run of them one space', () => {
  for (const one of CONTROLS)
    assert.equal(withoutControls(`a${one}b`), 'a b', one.charCodeAt(0).toString(16));
  assert.equal(withoutControls(`a${CONTROLS.join('')}b`), 'a b');
  assert.equal(withoutControls('\u001b[2Ja\r\nok  b\u009b31m'), ' [2Ja ok  b 31m');
});

test('every character that changes the direction is removed', () => {
  for (const one of DIRECTIONS)
    assert.equal(withoutControls(`a${one}b`), 'ab', one.charCodeAt(0).toString(16));
});

test('all other characters stay, in text and in JSON', () => {
  for (const text of [
    '',
    '  a  b ',
    'Süd 😀 אורח 5',
    'می\u200cخواهم',
    '👩\u200d👧',
    '\ud800',
    OTHERS.join(''),
  ]) {
    assert.equal(withoutControls(text), text);
    assert.equal(escapeControls(text), text);
  }
});

test('JSON is escaped to ASCII where it would act, and its value stays the same', () => {
  const acting = [...CONTROLS, ...DIRECTIONS];
  const value = { [acting.join('a')]: [`${acting.join('')}\\"`, `\\${acting.join('\\')}`] };
  for (const indent of [0, 2]) {
    const json = escapeControls(JSON.stringify(value, null, indent));
    assert.match(json, /^[\n -~]+$/);
    assert.deepEqual(JSON.parse(json), value);
  }
  assert.equal(escapeControls('"\u009b\u202e"'), '"\\u009b\\u202e"');
});
