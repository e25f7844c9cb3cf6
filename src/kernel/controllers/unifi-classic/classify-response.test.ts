// Tests what a response to a creation means: only a clear refusal says that no voucher exists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyResponse } from './classify-response.ts';

const sort = (json: unknown) =>
  classifyResponse({ status: 200, headers: {}, text: JSON.stringify(json) }, 'default', 'write');

test('a response that says neither ok nor error leaves the outcome open', () => {
  for (const meta of [{}, { rc: null }, { rc: 'o' }, { rc: 1 }])
    assert.partialDeepStrictEqual(sort({ meta, data: [] }), {
      kind: 'outcome-unknown',
      cause: 'not-controller',
    });
});

test('a success is no failure, and an error is a refusal', () => {
  assert.equal(sort({ meta: { rc: 'ok' }, data: [] }), undefined);
  assert.partialDeepStrictEqual(sort({ meta: { rc: 'error', msg: 'api.err.X' } }), { kind: 'refused' });
});
