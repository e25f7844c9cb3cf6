// Tests the bound of a cache and what it drops.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSizedCache } from './sized-cache.ts';

const KEYS = ['a', 'b', 'c', 'd', 'e'];

function makeFilled(keys: string[]) {
  const cache = makeSizedCache<string, string>(30);
  for (const key of keys) cache.set(key, key.toUpperCase(), 10);
  const kept = () => KEYS.filter((key) => cache.get(key) !== undefined);
  return { cache, kept };
}

test('entries are kept up to the number of bytes, and the oldest are dropped first', () => {
  assert.deepEqual(makeFilled(['a', 'b', 'c']).kept(), ['a', 'b', 'c']);
  assert.deepEqual(makeFilled(['a', 'b', 'c', 'd']).kept(), ['b', 'c', 'd']);
});

test('an entry that was used is spared once', () => {
  const { cache, kept } = makeFilled(['a', 'b', 'c']);
  assert.equal(cache.get('a'), 'A');
  cache.set('d', 'D', 10);
  cache.set('e', 'E', 10);
  assert.deepEqual(kept(), ['a', 'd', 'e']);
});

test('if all entries were used, the oldest is dropped', () => {
  const { cache, kept } = makeFilled(['a', 'b', 'c']);
  assert.deepEqual(kept(), ['a', 'b', 'c']);
  cache.set('d', 'D', 10);
  assert.deepEqual(kept(), ['b', 'c', 'd']);
});

test('replaced and removed entries no longer count, and an entry that is too large is not kept', () => {
  const { cache, kept } = makeFilled(['a', 'b', 'c', 'c', 'c']);
  assert.deepEqual(kept(), ['a', 'b', 'c']);
  cache.remove('b');
  cache.set('d', 'D', 10);
  assert.deepEqual(kept(), ['a', 'c', 'd']);
  cache.set('e', 'E', 31);
  assert.deepEqual(kept(), ['a', 'c', 'd']);
});

test('a cleared cache is empty and can be filled again', () => {
  const { cache, kept } = makeFilled(['a', 'b', 'c']);
  cache.clear();
  assert.deepEqual(kept(), []);
  for (const key of ['d', 'e']) cache.set(key, key, 15);
  assert.deepEqual(kept(), ['d', 'e']);
});
