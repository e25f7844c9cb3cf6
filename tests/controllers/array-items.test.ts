// Tests splitting a list while it arrives: every element is complete, wherever the pieces are cut.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeArrayItems } from '../../src/kernel/controllers/upstream/array-items.ts';

const elements = [
  { note: 'plain', quota: 1 },
  { note: 'brackets ]}[{ and , commas', nested: { list: [1, [2, { deep: true }]] } },
  { note: 'quote " backslash \\ both \\" \\\\', empty: {} },
  { note: 'Grüße 😀 \u0000 \n', text: '"},{"' },
  {},
];
const meta = { rc: 'ok', msg: 'a, "b" ]}' };
const texts = {
  'meta first': JSON.stringify({ meta, data: elements }),
  'data first': JSON.stringify({ data: elements, meta }),
  'with blanks': JSON.stringify({ meta, data: elements }, null, 2),
  'escapes spelt out': JSON.stringify({ meta, data: elements }).replaceAll('ü', '\\u00fc'),
};

function takeApart(pieces: string[]): { items: unknown[]; frame: string } {
  const parts = makeArrayItems();
  const items = pieces.flatMap((piece) => parts.feed(piece)).map((item) => JSON.parse(item));
  return { items, frame: parts.frame() };
}

for (const [name, text] of Object.entries(texts))
  describe(`a list, ${name}`, { concurrency: true }, () => {
    test('in one piece', () => {
      const { items, frame } = takeApart([text]);
      assert.deepEqual(items, elements);
      assert.deepEqual(JSON.parse(frame), { meta, data: [] });
    });

    test('cut once, at every position', () => {
      for (let at = 0; at <= text.length; at++) {
        const { items, frame } = takeApart([text.slice(0, at), text.slice(at)]);
        assert.deepEqual(items, elements, `cut at ${at}`);
        assert.deepEqual(JSON.parse(frame), { meta, data: [] }, `cut at ${at}`);
      }
    });

    test('in pieces of every size up to 40', () => {
      for (let size = 1; size <= 40; size++) {
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        const { items, frame } = takeApart(pieces);
        assert.deepEqual(items, elements, `pieces of ${size}`);
        assert.deepEqual(JSON.parse(frame).data, [], `frame in pieces of ${size}`);
      }
    });
  });

test('values in other fields are not elements, wherever the text is cut', () => {
  const text = '{"meta":{"rc":"ok","x":{"y":[1,{}]}},"data":[{"a":1}]}';
  const { items, frame } = takeApart([...text]);
  assert.deepEqual(items, [{ a: 1 }]);
  assert.deepEqual(JSON.parse(frame), { meta: { rc: 'ok', x: { y: [1, {}] } }, data: [] });
});

test('an element is returned with the piece that completes it', () => {
  const { feed } = makeArrayItems();
  assert.deepEqual(feed('{"meta":{"rc":"ok"},"data":[{"a":'), []);
  assert.deepEqual(feed('1},{"a":2}'), ['{"a":1}', '{"a":2}']);
  assert.deepEqual(feed(',{"a":3'), []);
  assert.deepEqual(feed('}]}'), ['{"a":3}']);
});

test('an empty list, and a response that is not a list, have no elements and stay in the frame', () => {
  for (const text of [
    '{"meta":{"rc":"ok"},"data":[]}',
    '{"meta":{"rc":"error","msg":"api.err.X"}}',
    '<html>',
  ])
    assert.deepEqual(takeApart([text]), { items: [], frame: text });
});

test('brackets after other text hold no elements, wherever the text is cut', () => {
  for (const text of ['<script>[[{"a":1}]]</script>', '\u0000]][[{oops}', '{}{"data":[{}]}'])
    for (const pieces of [[text], [...text]]) assert.deepEqual(takeApart(pieces), { items: [], frame: text });
});

test('a truncated list leaves a frame that is not valid JSON', () => {
  const text = texts['meta first'];
  const { frame } = takeApart([text.slice(0, text.length / 2)]);
  assert.throws(() => JSON.parse(frame));
});

test('an element that never ends is abandoned', () => {
  const { feed } = makeArrayItems();
  feed('{"data":[{"note":"');
  assert.throws(() => {
    for (let piece = 0; piece < 100; piece++) feed('x'.repeat(1024));
  }, /is not a list/);
});
