// Tests which names a voucher may have.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNameProblem, trimName } from './voucher-name.ts';

const kindOf = (name: string) => findNameProblem(trimName(name))?.kind;

test('names in any script are allowed, with the joiners and direction marks that scripts and emoji need', () => {
  for (const name of ['Zimmer 12', 'אורח\u200F 5', 'می\u200Cخواهم', '👩\u200D👩\u200D👧', 'Line\u2028break'])
    assert.equal(kindOf(name), undefined, name);
});

test('white space around a name is removed, and white space alone is not a name', () => {
  assert.equal(trimName('\uFEFF\u00A0 Zimmer 12\u3000\t'), 'Zimmer 12');
  for (const name of ['', ' ', '\u2028\uFEFF']) assert.equal(kindOf(name), 'name-missing');
});

test('control characters, overrides, isolates, invisible fillers and lone surrogates are refused', () => {
  const refused = [
    '\u0000',
    '\u0085',
    '\u202A',
    '\u202E',
    '\u2066',
    '\u2069',
    '\u200B',
    '\u2060',
    '\uFEFF',
    '\uD800',
  ];
  for (const character of refused)
    assert.equal(kindOf(`a${character}b`), 'name-not-plain', character.codePointAt(0)?.toString(16));
});

test('a name has at most 244 characters, counted as code points', () => {
  assert.equal(kindOf('\u{1F3AB}'.repeat(244)), undefined);
  assert.equal(kindOf('\u{1F3AB}'.repeat(245)), 'name-too-long');
});
