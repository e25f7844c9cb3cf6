// Tests which texts count as mentions of a person.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inJson, inTextWithJson } from './personal-json.ts';
import { makePersonalText, type PersonalText } from './personal-text.ts';

function textOf(text: string): PersonalText {
  const made = makePersonalText(text);
  assert.ok(made.ok, text);
  return made.value;
}

test('whole words are found, regardless of case, spelling of accents and spaces', () => {
  const name = textOf(' Jörg  Müller ');
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
  const email = textOf('a.b+c@example.org');
  assert.ok(!email.isIn('axb+c@example.org'));
  assert.equal(
    email.replaceIn('user 5 (A.B+C@example.org): a.b+c@example.org'),
    'user 5 ([erased]): [erased]',
  );
  assert.ok(textOf('2001:db8::1').isIn('von 2001:db8::1'));
  assert.ok(textOf('a-b/[c]').isIn('a-b/[c]'));
});

test('an IP address is not found in a longer one', () => {
  const v4 = textOf('10.0.0.1');
  for (const text of ['10.0.0.1.', 'connect 10.0.0.1:443', '(10.0.0.1)', 'IP:10.0.0.1', '::ffff:10.0.0.1'])
    assert.ok(v4.isIn(text), text);
  for (const text of ['10.0.0.12', '10.0.0.1.5', '5.10.0.0.1', '110.0.0.1']) assert.ok(!v4.isIn(text), text);
  const v6 = textOf('2001:db8::1');
  for (const text of ['2001:DB8::1.', '[2001:db8::1]:443', '2001:db8::1: no answer', 'host:2001:db8::1'])
    assert.ok(v6.isIn(text), text);
  for (const text of ['2001:db8::1:5', '2001:db8::12', 'a:2001:db8::1', '::2001:db8::1'])
    assert.ok(!v6.isIn(text), text);
  assert.ok(!textOf('2001:db8::').isIn('2001:db8::1'));
});

test('a text that is short, a number or a fixed word of records is refused', () => {
  const refusals = {
    'too-short': [' Jo '],
    number: ['1234', ' 12345678 ', '1, 2', '2026-11-16'],
    'fixed-word': [
      'voucher',
      'Site',
      'VOUCHERS',
      'and',
      'null',
      'true',
      'Web',
      'voucher 1234 of site 1',
      'Web:',
    ],
  };
  for (const [problem, texts] of Object.entries(refusals))
    for (const text of texts) assert.deepEqual(makePersonalText(text), { ok: false, problem }, text);
  for (const text of ['Anna', 'User Anna', '0170 1234567', '10.0.0.1', 'Site4', 'k.and@example.org'])
    textOf(text);
});

test('JSON keeps its form: only string values are searched and replaced', () => {
  const json = JSON.stringify({ note: 'Für "Note" Huber', list: ['NOTE', 5], notes: null });
  const note = textOf('note');
  assert.equal(
    inJson(note).replaceIn(json),
    JSON.stringify({ note: 'Für "[erased]" Huber', list: ['[erased]', 5], notes: null }),
  );
  assert.ok(inJson(textOf('"Note" Huber')).isIn(json));
  assert.ok(!inJson(note).isIn('{"note":5}'));
  const broken = '{"x":"note"';
  assert.ok(!inJson(note).isIn(broken));
  assert.equal(inJson(note).replaceIn(broken), broken);
});

test('a text may end with JSON', () => {
  const note = inTextWithJson(textOf('note'));
  assert.equal(note.replaceIn('k1: Note {"note":"a note"}'), 'k1: [erased] {"note":"a [erased]"}');
  assert.equal(note.replaceIn('k1: {note}'), 'k1: {[erased]}');
  assert.equal(note.replaceIn('k1: note'), 'k1: [erased]');
  assert.ok(note.isIn('k1: {note}') && note.isIn('{"x":"note"}') && !note.isIn('k1: {"note":5}'));
});
