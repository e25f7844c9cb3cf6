// Tests what a request with a used Idempotency-Key gets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fail, ok } from '../../platform/values/result.ts';
import { asKeyId } from '../ids.ts';
import { refuseTaken, repeatResponse } from './idempotency.ts';

const ticket = { apiKeyId: asKeyId('keyAAAAA'), key: 'k', bodyHash: 'body' };
const response = { code: '0482715936', siteName: 'Haus A', maxUses: 1, expireMinutes: 480 };
const stored = { text: JSON.stringify(response), response };
const REUSED = { kind: 'idempotency-key-reused' } as const;
const IN_PROGRESS = { kind: 'idempotency-in-progress' } as const;

test('a repeated request gets the first response, or has to wait for it', () => {
  assert.deepEqual(repeatResponse({ bodyHash: 'body', stored }, ticket), ok({ response }));
  assert.deepEqual(repeatResponse({ bodyHash: 'body' }, ticket), fail(IN_PROGRESS));
});

test('once the voucher has ended, the request gets a ticket that replaces the stored response', () => {
  const earlier = { bodyHash: 'body', stored: { ...stored, hasEnded: true } };
  assert.deepEqual(repeatResponse(earlier, ticket), ok({ freed: { ...ticket, replaces: stored.text } }));
  assert.deepEqual(repeatResponse({ ...earlier, bodyHash: 'other' }, ticket), fail(REUSED));
});

test('a kept key stays with the vouchers that have ended', () => {
  const earlier = { bodyHash: 'body', stored: { ...stored, hasEnded: true } };
  const kept = { ...ticket, isKept: true } as const;
  assert.deepEqual(repeatResponse(earlier, kept), fail({ kind: 'idempotency-key-ended' }));
  assert.deepEqual(repeatResponse({ ...earlier, bodyHash: 'other' }, kept), fail(REUSED));
});

test('a request with another body never gets the response, nor the advice to wait for it', () => {
  for (const earlier of [{ stored }, {}])
    assert.deepEqual(repeatResponse({ bodyHash: 'other', ...earlier }, ticket), fail(REUSED));
});

test('a taken key refuses another body; the same body can be sent again later', () => {
  assert.deepEqual(refuseTaken({ bodyHash: 'other' }, ticket), REUSED);
  assert.deepEqual(refuseTaken({ bodyHash: 'body' }, ticket), IN_PROGRESS);
  assert.deepEqual(refuseTaken({ bodyHash: 'body', ageMs: 5 }, ticket), { ...IN_PROGRESS, ageMs: 5 });
});

test('if the request that had taken the key is gone by now, the request can be sent again', () => {
  assert.deepEqual(refuseTaken(undefined, ticket), IN_PROGRESS);
});
