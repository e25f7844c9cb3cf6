// Tests the last-used times of API keys: many requests cause one write, and no use is lost during a write.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { asKeyId, type KeyId } from '../domain/ids.ts';
import { makeLastUsed } from './last-used.ts';

const one = asKeyId('keyAAAAA');
const other = asKeyId('keyBBBBB');
let writes: [KeyId, number][][];
beforeEach(() => {
  writes = [];
});

const keys = {
  async saveLastUsed(lastUsedAtMs: ReadonlyMap<KeyId, number>) {
    writes.push([...lastUsedAtMs]);
  },
};

test('many uses are saved in one write with the last use of each key', async () => {
  const lastUsed = makeLastUsed(keys);
  for (let atMs = 1; atMs <= 100; atMs++) lastUsed.note(one, atMs);
  lastUsed.note(other, 7);
  await lastUsed.save();
  assert.deepEqual(writes, [
    [
      [one, 100],
      [other, 7],
    ],
  ]);
});

test('nothing is written if there was no use', async () => {
  const lastUsed = makeLastUsed(keys);
  await lastUsed.save();
  lastUsed.note(one, 1);
  await lastUsed.save();
  await lastUsed.save();
  assert.equal(writes.length, 1);
});

test('a use recorded during a write is in the next write', async () => {
  const lastUsed = makeLastUsed({
    async saveLastUsed(noted) {
      lastUsed.note(other, 2);
      await keys.saveLastUsed(noted);
    },
  });
  lastUsed.note(one, 1);
  await lastUsed.save();
  await lastUsed.save();
  assert.deepEqual(writes, [[[one, 1]], [[other, 2]]]);
});
