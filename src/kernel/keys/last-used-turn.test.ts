// Tests the last uses of API keys: many requests cause one write, and no use is lost during a write.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { asKeyId, type KeyId } from '../ids.ts';
import type { LastUse } from './key-records.ts';
import { makeLastUsed } from './last-used-turn.ts';

const one = asKeyId('keyAAAAA');
const other = asKeyId('keyBBBBB');
const [ip, otherIp] = ['192.0.2.1', '192.0.2.2'];
let writes: [KeyId, LastUse][][];
beforeEach(() => {
  writes = [];
});

const keys = {
  async saveLastUsed(lastUses: ReadonlyMap<KeyId, LastUse>) {
    writes.push([...lastUses]);
  },
};

test('many uses are saved in one write with the last use of each key', async () => {
  const lastUsed = makeLastUsed(keys);
  for (let atMs = 1; atMs <= 100; atMs++) lastUsed.note(one, atMs, atMs < 100 ? ip : otherIp);
  lastUsed.note(other, 7, ip);
  await lastUsed.save();
  assert.deepEqual(writes, [
    [
      [one, { atMs: 100, ip: otherIp }],
      [other, { atMs: 7, ip }],
    ],
  ]);
});

test('nothing is written if there was no use', async () => {
  const lastUsed = makeLastUsed(keys);
  await lastUsed.save();
  lastUsed.note(one, 1, ip);
  await lastUsed.save();
  await lastUsed.save();
  assert.equal(writes.length, 1);
});

test('a use recorded during a write is in the next write', async () => {
  const lastUsed = makeLastUsed({
    async saveLastUsed(noted) {
      lastUsed.note(other, 2, ip);
      await keys.saveLastUsed(noted);
    },
  });
  lastUsed.note(one, 1, ip);
  await lastUsed.save();
  await lastUsed.save();
  assert.deepEqual(writes, [[[one, { atMs: 1, ip }]], [[other, { atMs: 2, ip }]]]);
});
