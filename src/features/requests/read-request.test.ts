// Tests which texts a guest can send with a request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_GUEST_NAME_LENGTH, MAX_REQUEST_NOTE_LENGTH } from './guest-request.ts';
import { readRequest, type TypedRequest } from './read-request.ts';

const read = (typed: Partial<TypedRequest>) => readRequest({ name: 'Ada', host: '', note: '', ...typed });

test('white space is trimmed, and only the name is required', () => {
  assert.deepEqual(read({ name: '  Ada ', host: ' Zimmer 4\t', note: '\r\neins\r\nzwei\r' }), {
    ok: true,
    value: { name: 'Ada', host: 'Zimmer 4', note: 'eins\nzwei' },
  });
  assert.deepEqual(read({ name: ' ' }), { ok: false, problem: { name: 'missing' } });
});

test('texts that hide or reorder characters, and texts that are too long, are refused', () => {
  const hidden = ['a\u202eb', 'a\u0000b', 'a\u200bb', 'a\ud800b', 'a\nb'];
  for (const text of hidden) {
    assert.deepEqual(read({ name: text }), { ok: false, problem: { name: 'not-plain' } });
    assert.deepEqual(read({ host: text }), { ok: false, problem: { host: 'not-plain' } });
  }
  for (const note of hidden.slice(0, 4))
    assert.deepEqual(read({ note }), { ok: false, problem: { note: 'not-plain' } });
  const all = {
    name: 'x'.repeat(4_096),
    host: '🙂'.repeat(101),
    note: 'x'.repeat(MAX_REQUEST_NOTE_LENGTH + 1),
  };
  assert.deepEqual(read(all), {
    ok: false,
    problem: { name: 'too-long', host: 'too-long', note: 'too-long' },
  });
  assert.ok(
    read({ name: '🙂'.repeat(MAX_GUEST_NAME_LENGTH) }).ok,
    'characters are counted, not their halves',
  );
  assert.ok(read({ name: '=cmd|<b>"', host: '-1+1', note: '@SUM(A1)' }).ok, 'pages and files make them safe');
});
