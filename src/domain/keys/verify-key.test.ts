// Tests the verification of API keys: all failures look the same, a revocation applies at once, and texts that cannot
// be keys cause no query to the store.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { KeyId } from '../ids.ts';
import { makeKeyText } from './api-key.ts';
import { makeNewKey } from './issue-key.ts';
import type { StoredKey } from './key-store.ts';
import { makeVerifyKey, type VerifyKey } from './verify-key.ts';

const NOW_MS = 1_768_476_531_000;
let stored: Map<KeyId, StoredKey>;
let questions: number;
let used: Map<KeyId, number>;
let verifyKey: VerifyKey;

beforeEach(() => {
  stored = new Map();
  questions = 0;
  used = new Map();
  verifyKey = makeVerifyKey({
    keys: {
      async find(id) {
        questions++;
        return stored.get(id);
      },
    },
    lastUsed: { note: (id, atMs) => void used.set(id, atMs) },
    clock: { nowMs: () => NOW_MS },
  });
});

function issue(): { keyText: string; stored: StoredKey } {
  const { key, keyText } = makeNewKey({ name: 'Theke', scope: 'write', rateLimit: 5 }, 0);
  const made = { ...key, revoked: false };
  stored.set(key.id, made);
  return { keyText, stored: made };
}

test('a key is recognised by its text every time, and its use is recorded', async () => {
  const { keyText, stored: made } = issue();
  for (let turn = 0; turn < 3; turn++) {
    const key = await verifyKey(keyText);
    assert.deepEqual([key?.id, key?.name, key?.scope, key?.rateLimit], [made.id, 'Theke', 'write', 5]);
  }
  assert.equal(used.get(made.id), NOW_MS);
});

test('a well-formed key that was never issued is refused', async () => {
  assert.equal(await verifyKey(makeKeyText().keyText), undefined);
});

test('a key with a known id and another secret is refused, and no use is recorded', async () => {
  const { stored: made } = issue();
  const stranger = makeNewKey({ name: 'x', scope: 'write', rateLimit: 0 }, 0);
  stored.set(stranger.key.id, { ...made, id: stranger.key.id });
  assert.equal(await verifyKey(stranger.keyText), undefined);
  assert.equal(used.size, 0);
});

test('a revoked key is refused at once, even if it was valid a moment ago', async () => {
  const { keyText, stored: made } = issue();
  assert.ok(await verifyKey(keyText));
  made.revoked = true;
  assert.equal(await verifyKey(keyText), undefined);
});

test('a changed scope or limit applies to the next request', async () => {
  const { keyText, stored: made } = issue();
  await verifyKey(keyText);
  stored.set(made.id, { ...made, scope: 'read', rateLimit: 1 });
  const key = await verifyKey(keyText);
  assert.deepEqual([key?.scope, key?.rateLimit], ['read', 1]);
});

test('a text that cannot be a key is refused without a query', async () => {
  for (const text of ['', 'x', 'gpk_x', `${issue().keyText.slice(0, -1)}!`])
    assert.equal(await verifyKey(text), undefined);
  assert.equal(questions, 0);
});
