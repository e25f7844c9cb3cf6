// Tests that the hidden field of a confirmation page carries exactly its vouchers, and stays small.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asVoucherId } from '../../ids.ts';
import { MAX_REVOKED_AT_ONCE } from '../bulk-revocation.ts';
import { readConfirmed, writeConfirmed } from './confirmed-vouchers.ts';

const MAX_FORM_BYTES = 64 * 1024;

const sent = (value: string) => readConfirmed(new URLSearchParams({ confirmed: value }));

test('as many scattered vouchers as can be revoked at once fit into a form and come back', () => {
  const ids = Array.from({ length: MAX_REVOKED_AT_ONCE }, (_, index) => 7 + index * 1_000_003);
  const field = writeConfirmed(ids.toReversed().map((id) => ({ id: asVoucherId(id) })));
  const value = /value="([^"]+)"/.exec(String(field))?.[1] ?? '';
  assert.ok(value.length < MAX_FORM_BYTES, `${value.length} bytes`);
  assert.deepEqual(sent(value), ids);
});

test('a field that is missing or malformed confirms nothing', () => {
  assert.equal(readConfirmed(new URLSearchParams()), undefined);
  for (const value of ['', ' ', '1  2', '-1', '1,2', 'zzzzzzzzzz'])
    assert.equal(sent(value), undefined, value);
});
