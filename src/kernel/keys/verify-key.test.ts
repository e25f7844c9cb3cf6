// Tests the verification of API keys: a revocation and a change apply at once, an expired key is refused, and texts
// that cannot be keys cause no query to the store.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { asSiteId, type KeyId } from '../ids.ts';
import type { ApiKey } from './api-key.ts';
import { makeKeyText } from './api-key.ts';
import { makeNewKey } from './issue-key.ts';
import type { LastUse, StoredKey } from './key-records.ts';
import { type KeyRefusal, makeVerifyKey, type VerifyKey } from './verify-key.ts';

const NOW_MS = 1_768_476_531_000;
let stored: Map<KeyId, StoredKey>;
let questions: number;
let used: Map<KeyId, LastUse>;
let nowMs: number;
let isFlooding: boolean;
let wrongKeys: number;
let verify: VerifyKey;

beforeEach(() => {
  stored = new Map();
  questions = 0;
  used = new Map();
  nowMs = NOW_MS;
  isFlooding = false;
  wrongKeys = 0;
  verify = makeVerifyKey({
    keys: {
      async lookUp({ id }) {
        questions++;
        return stored.get(id);
      },
    },
    floodGuard: {
      isFlooding: () => isFlooding,
      allowsLookUp: async ({ id }) => stored.has(id),
      note: () => void wrongKeys++,
    },
    lastUsed: { note: (id, atMs, ip) => void used.set(id, { atMs, ip }) },
    clock: { nowMs: () => nowMs },
  });
});

const caller = { clientIp: () => '192.0.2.7' };

/** The key, or undefined if it is refused. */
async function verifyKey(keyText: string): Promise<ApiKey | undefined> {
  const verified = await verify(keyText, caller);
  return verified.ok ? verified.value : undefined;
}

async function refusal(keyText: string): Promise<KeyRefusal | undefined> {
  const verified = await verify(keyText, caller);
  return verified.ok ? undefined : verified.problem;
}

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
  assert.deepEqual(used.get(made.id), { atMs: NOW_MS, ip: '192.0.2.7' });
});

test('a well-formed key that was never issued is refused', async () => {
  assert.deepEqual(await refusal(makeKeyText().keyText), { reason: 'unknown' });
});

test('a key with a known id and another secret is refused, and no use is recorded', async () => {
  const { stored: made } = issue();
  const stranger = makeNewKey({ name: 'x', scope: 'write', rateLimit: 0 }, 0);
  stored.set(stranger.key.id, { ...made, id: stranger.key.id });
  assert.deepEqual(await refusal(stranger.keyText), { reason: 'wrong-secret' });
  assert.equal(used.size, 0);
});

test('a revoked key is refused at once, even if it was valid a moment ago', async () => {
  const { keyText, stored: made } = issue();
  assert.ok(await verifyKey(keyText));
  made.revoked = true;
  assert.deepEqual(await refusal(keyText), { reason: 'revoked', keyId: made.id });
});

test('a key is refused from its expiry date on, and its use is not recorded', async () => {
  const { keyText, stored: made } = issue();
  made.expiresAtMs = NOW_MS + 1;
  assert.ok(await verifyKey(keyText));
  nowMs = NOW_MS + 1;
  assert.deepEqual(await refusal(keyText), { reason: 'expired', keyId: made.id });
  assert.equal(used.get(made.id)?.atMs, NOW_MS);
  made.expiresAtMs = null;
  assert.ok(await verifyKey(keyText));
});

test('a changed scope, limit or list of sites applies to the next request', async () => {
  const { keyText, stored: made } = issue();
  await verifyKey(keyText);
  stored.set(made.id, { ...made, scope: 'read', rateLimit: 1, sites: [asSiteId(2)] });
  const key = await verifyKey(keyText);
  assert.deepEqual([key?.scope, key?.rateLimit, key?.sites], ['read', 1, [2]]);
});

test('a text that cannot be a key is refused without a query', async () => {
  for (const text of ['', 'x', 'gpk_x', `${issue().keyText.slice(0, -1)}!`])
    assert.deepEqual(await refusal(text), { reason: 'malformed' });
  assert.equal(questions, 0);
});

test('during a flood a key that was not issued is refused without a query, and a valid key works', async () => {
  const { keyText } = issue();
  isFlooding = true;
  assert.deepEqual(await refusal(makeKeyText().keyText), { reason: 'flood' });
  assert.deepEqual(await refusal('gpk_x'), { reason: 'flood' });
  assert.equal(questions, 0);
  assert.ok(await verifyKey(keyText));
});

test('every wrong key counts for the flood, a valid key does not', async () => {
  const { keyText, stored: made } = issue();
  await verifyKey(keyText);
  assert.equal(wrongKeys, 0);
  await verifyKey(makeKeyText().keyText);
  await verifyKey('gpk_x');
  made.revoked = true;
  await verifyKey(keyText);
  assert.equal(wrongKeys, 3);
});

test('a key that was valid and is revoked costs no query during a flood', async () => {
  const { keyText, stored: made } = issue();
  await verifyKey(keyText);
  isFlooding = true;
  stored.delete(made.id);
  await verifyKey(keyText);
  const before = questions;
  assert.deepEqual(await refusal(keyText), { reason: 'flood' });
  assert.equal(questions, before);
});
