// The parameters of the operations in the OpenAPI document, and the headers of their responses.

import type { Operation } from './openapi-operations.ts';
import { queryParameters } from './openapi-schemas.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: object;
  example?: unknown;
}

const id = (description: string, example: number) =>
  inPath('id', description, { type: 'integer', minimum: 1 }, example);

const PATH_PARAMETERS: Record<string, Parameter[]> = {
  '/vouchers/{id}': [id('The id of the voucher.', 4711)],
  '/vouchers/{id}/revoke': [id('The id of the voucher.', 4711)],
  '/vouchers/by-code/{site}/{code}': [
    inPath('site', 'The id of the site.', { type: 'integer', minimum: 1 }, 1),
    inPath('code', 'The code, with or without dashes.', { type: 'string', minLength: 1 }, '04827-15936'),
  ],
  '/batches/{id}': [batchId()],
  '/batches/{id}/resume': [batchId()],
  '/sites/{id}': [id('The id of the site.', 1)],
};

function batchId(): Parameter {
  const example = '0f0f3c9e-55a1-4f0e-9d3a-2d1b7a0c4e11';
  return inPath('id', 'The id of the batch.', { type: 'string', format: 'uuid' }, example);
}

function inPath(name: string, description: string, schema: object, example: unknown): Parameter {
  return { name, in: 'path', required: true, description, schema, example };
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to repeat the request: the same key and the same body never create a second order, unless all vouchers of the first have ended.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: 'booking-20261222-17',
};

const IF_ENDED: Parameter = {
  name: 'Gastpass-If-Ended',
  in: 'header',
  required: false,
  description:
    'With `conflict`, an order whose Idempotency-Key was used for vouchers that have ended gets 409 instead of new vouchers. An order with `replaces` always does, and any order whose voucher was replaced.',
  schema: { type: 'string', enum: ['conflict'] },
};

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an earlier response: while the response would be the same, it is 304.',
  schema: { type: 'string' },
};

export function parametersOf({ path, takesOrder, takesQuery }: Operation): object[] {
  return [
    ...(PATH_PARAMETERS[path] ?? []),
    ...(takesQuery ? [...queryParameters(), IF_NONE_MATCH] : []),
    ...(takesOrder ? [IDEMPOTENCY_KEY, IF_ENDED] : []),
  ];
}

/** Every response to a key with a rate limit has them. */
const limitHeaders = {
  'RateLimit-Policy': text(
    'The limit `q` in each window of `w` seconds. Absent if the API key has no rate limit.',
  ),
  RateLimit: text('How many requests are left (`r`), and after how many seconds the window ends (`t`).'),
  'X-RateLimit-Limit': number('The limit in each minute.'),
  'X-RateLimit-Remaining': number('How many requests are left.'),
  'X-RateLimit-Reset': number('When the window ends, in seconds since 1970.'),
};

/** The headers of every response. */
export const COMMON_HEADERS = ['X-Request-Id', ...Object.keys(limitHeaders)];

export const headers = {
  'X-Request-Id': text('The id of the request in the log of the service.'),
  ETag: text('Send it as `If-None-Match` to get 304 while the response would be the same.'),
  Location: text('The path of the voucher or the batch.'),
  'Idempotent-Replayed': text('`true` if an earlier request with this Idempotency-Key placed the order.'),
  'Idempotency-Key-Freed': text(
    '`true` if this is a new order because all vouchers of the first order with this Idempotency-Key have ended.',
  ),
  ...limitHeaders,
  'Retry-After': text('Repeat the request after this many seconds. Absent if waiting does not help.'),
  'Gastpass-Retry': text('The same as `retry` in the body.'),
  'Gastpass-Cause': text('The same as `cause` in the body. Absent if there is none.'),
};

function number(description: string) {
  return { description, schema: { type: 'integer' } };
}

function text(description: string) {
  return { description, schema: { type: 'string' } };
}
