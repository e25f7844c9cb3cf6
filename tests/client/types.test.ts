// The types of the client are written by hand, because the package imports nothing of the service. Here the compiler
// compares them with the schemas from which the service makes its OpenAPI document: a difference breaks `npm run
// check`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as client from '../../packages/client/src/index.ts';
import type { ProblemKind } from '../../src/features/api-v1/problem-kinds.ts';
import type * as requests from '../../src/features/api-v1/requests.ts';
import type * as responses from '../../src/features/api-v1/responses.ts';

/** True if each type fits where the other is expected, with the same fields. */
type Same<One, Other> = [One, Other] extends [Other, One]
  ? [keyof One, keyof Other] extends [keyof Other, keyof One]
    ? true
    : false
  : false;

const same: {
  site: Same<client.Site, responses.Site>;
  voucher: Same<client.Voucher, responses.Voucher>;
  withHistory: Same<client.VoucherWithHistory, responses.VoucherWithHistory>;
  page: Same<client.VoucherPage, responses.VoucherPage>;
  batch: Same<client.Batch, responses.Batch>;
  key: Same<client.Key, responses.Key>;
  order: Same<client.VoucherOrder, Omit<requests.NewVouchers, 'count'>>;
  filter: Same<client.VoucherFilter, Omit<requests.ListQuery, 'cursor'>>;
  problem: Same<client.FieldError, responses.FieldError>;
  code: Same<Exclude<client.ErrorCode, 'no-answer' | 'unexpected-answer'>, ProblemKind>;
} = {
  site: true,
  voucher: true,
  withHistory: true,
  page: true,
  batch: true,
  key: true,
  order: true,
  filter: true,
  problem: true,
  code: true,
};

test('the types of the client are those of the API', () => {
  assert.ok(Object.values(same).every(Boolean));
});
