// Tests which texts count as mentions of a person.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePersonalText } from './personal-text.ts';

test('whole words are found, regardless of case, spelling of accents and spaces', () => {
  const name = makePersonalText(' Jörg  Müller ');
  assert.ok(name);
  for (const text of [
    '2026-11-16_Jörg Müller',
    'jörg müller, Zimmer 4',
    'Jo\u0308rg Mu\u0308ller',
    '"JÖRG MÜLLER"',
  ])
    assert.ok(name.isIn(text), text);
  for (const text of ['Jörg Müllers', 'Jörg M.', 'Björg Müller', '']) assert.ok(!name.isIn(text), text);
});

test('characters of patterns have no meaning, and every occurrence is replaced', () => {
  const email = makePersonalText('a.b+c@example.org');
  assert.ok(email && !email.isIn('axb+c@example.org'));
  assert.equal(
    email.replaceIn('user 5 (A.B+C@example.org): a.b+c@example.org'),
    'user 5 ([erased]): [erased]',
  );
  assert.ok(makePersonalText('2001:db8::1')?.isIn('von 2001:db8::1'));
  assert.ok(makePersonalText('a-b/[c]')?.isIn('a-b/[c]'));
});

test('a text of one or two characters is refused', () => {
  assert.equal(makePersonalText(' Jo '), undefined);
});
