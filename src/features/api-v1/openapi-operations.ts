// The operations of the OpenAPI document: what each call takes, and every status that it can have.

import type { examples } from './openapi-examples.ts';
import type { schemas } from './openapi-schemas.ts';
import type { V1Problem } from './problem-details.ts';

export interface Operation {
  path: string;
  method: 'get' | 'post';
  id: string;
  tag: 'Vouchers' | 'Batches' | 'Sites' | 'Key';
  summary: string;
  description: string;
  /** Whether the body is an order of vouchers. */
  takesOrder?: true;
  /** Whether the query filters the list of vouchers. */
  takesQuery?: true;
  success: Success[];
  problems: V1Problem[];
}

interface Success {
  status: 200 | 201 | 202;
  description: string;
  schema: keyof typeof schemas;
  example: keyof typeof examples;
  headers?: readonly string[];
  /** Whether a client that knows the ETag gets 304. */
  hasEtag?: true;
}

/** Every operation can have these. */
const COMMON: V1Problem[] = [
  { kind: 'invalid-request', errors: [{ field: 'dry_run', message: 'is not known' }] },
  { kind: 'unreadable' },
  { kind: 'unauthorized', keyWasSent: false },
  { kind: 'rate-limited', secondsLeft: 23 },
  { kind: 'server-error', text: 'an unexpected error', isOpen: false },
  { kind: 'database-unavailable' },
  { kind: 'unavailable' },
];
const READS: V1Problem[] = [...COMMON, { kind: 'scope-missing', scope: 'read' }];
const WRITES: V1Problem[] = [
  ...COMMON,
  { kind: 'scope-missing', scope: 'write' },
  { kind: 'controller-busy', retryAfterS: 2 },
];
const FAILED_CALL = {
  failure: 'unreachable',
  cause: 'nobody-answers',
  text: 'the controller cannot be reached',
} as const;

export const OPERATIONS: Operation[] = [
  {
    path: '/vouchers',
    method: 'get',
    id: 'listVouchers',
    tag: 'Vouchers',
    summary: 'List vouchers',
    description: 'Newest first, in pages. New vouchers do not move the following pages.',
    takesQuery: true,
    success: [
      {
        status: 200,
        description: 'A page of vouchers.',
        schema: 'VoucherPage',
        example: 'page',
        hasEtag: true,
      },
    ],
    problems: [
      ...READS,
      {
        kind: 'invalid-request',
        errors: [{ field: 'limit', message: 'must be a whole number from 1 to 500' }],
      },
    ],
  },
  {
    path: '/vouchers',
    method: 'post',
    id: 'createVouchers',
    tag: 'Vouchers',
    summary: 'Create one or more vouchers',
    description:
      'One voucher is created at once. With a `count` above 1 the vouchers are a batch, which is filled in the background. Needs the scope `write`.',
    takesOrder: true,
    success: [
      {
        status: 201,
        description: 'The voucher exists.',
        schema: 'CreatedVouchers',
        example: 'vouchers',
        headers: ['Location', 'Idempotent-Replayed', 'Idempotency-Key-Freed'],
      },
      {
        status: 202,
        description: 'The batch is being created. `Location` says where to look at it.',
        schema: 'AcceptedBatch',
        example: 'accepted',
        headers: ['Location', 'Idempotent-Replayed', 'Idempotency-Key-Freed'],
      },
    ],
    problems: [
      ...WRITES,
      {
        kind: 'invalid-request',
        errors: [
          { field: 'name', message: 'is required' },
          { field: 'nights', message: 'must not be given together with minutes' },
        ],
      },
      { kind: 'invalid-json', text: 'The body is not JSON: error at position 17 (line 1 column 18).' },
      { kind: 'mail-not-set-up' },
      { kind: 'printer-unknown' },
      { kind: 'site-not-found' },
      { kind: 'profile-not-found' },
      { kind: 'body-too-slow' },
      { kind: 'idempotency-key-ended' },
      { kind: 'idempotency-in-progress', retryAfterS: 5 },
      { kind: 'body-too-large' },
      { kind: 'idempotency-key-reused' },
      { kind: 'too-many-mails', retryAfterS: 600 },
      { kind: 'too-many-slips', retryAfterS: 600 },
      { kind: 'creation-failed', ...FAILED_CALL },
      { kind: 'no-valid-voucher' },
      {
        kind: 'instance-outdated',
        outdated: {
          what: 'order',
          value: 'reference',
          since: '0.4.0',
          instance: 'gastpass-2',
          release: '0.3.0',
        },
      },
    ],
  },
  {
    path: '/vouchers/{id}',
    method: 'get',
    id: 'getVoucher',
    tag: 'Vouchers',
    summary: 'Get a voucher',
    description: 'With its history, which never names users.',
    success: [
      { status: 200, description: 'The voucher.', schema: 'VoucherWithHistory', example: 'withHistory' },
    ],
    problems: [...READS, { kind: 'voucher-not-found' }],
  },
  {
    path: '/vouchers/by-code/{site}/{code}',
    method: 'get',
    id: 'getVoucherByCode',
    tag: 'Vouchers',
    summary: 'Find a voucher by its code',
    description: 'If a controller has used the code again, the newest voucher with it.',
    success: [
      { status: 200, description: 'The voucher.', schema: 'VoucherWithHistory', example: 'withHistory' },
    ],
    problems: [...READS, { kind: 'voucher-not-found' }],
  },
  {
    path: '/vouchers/{id}/revoke',
    method: 'post',
    id: 'revokeVoucher',
    tag: 'Vouchers',
    summary: 'Revoke a voucher',
    description:
      'Deletes it on the controller. May be repeated any number of times. Needs the scope `write`.',
    success: [
      {
        status: 200,
        description: 'The voucher is revoked, now or earlier.',
        schema: 'VoucherWithHistory',
        example: 'revoked',
      },
    ],
    problems: [...WRITES, { kind: 'voucher-not-found' }, { kind: 'revocation-failed', ...FAILED_CALL }],
  },
  {
    path: '/batches/{id}',
    method: 'get',
    id: 'getBatch',
    tag: 'Batches',
    summary: 'Get a batch',
    description: 'Its progress and its vouchers. Ask again every few seconds while its `state` is `running`.',
    success: [{ status: 200, description: 'The batch.', schema: 'Batch', example: 'batch' }],
    problems: [...READS, { kind: 'batch-not-found' }],
  },
  {
    path: '/batches/{id}/resume',
    method: 'post',
    id: 'resumeBatch',
    tag: 'Batches',
    summary: 'Resume a failed batch',
    description:
      'Orders exactly the vouchers that are missing. A batch that is running or done stays as it is, so the request may be repeated. Needs the scope `write`.',
    success: [
      {
        status: 202,
        description: 'The batch is running again, or nothing is missing.',
        schema: 'AcceptedBatch',
        example: 'accepted',
      },
    ],
    problems: [
      ...WRITES.filter(({ kind }) => kind !== 'controller-busy'),
      { kind: 'batch-not-found' },
      { kind: 'batch-unsettled', retryAfterS: 8 },
      { kind: 'batch-not-resumable', reason: 'replaced' },
    ],
  },
  {
    path: '/sites',
    method: 'get',
    id: 'listSites',
    tag: 'Sites',
    summary: 'List sites',
    description: 'The active sites that the API key may use, sorted by name.',
    success: [{ status: 200, description: 'The sites.', schema: 'SiteList', example: 'sites' }],
    problems: READS,
  },
  {
    path: '/sites/{id}',
    method: 'get',
    id: 'getSite',
    tag: 'Sites',
    summary: 'Get a site',
    description: 'With its profiles, and the values that an order may have there.',
    success: [{ status: 200, description: 'The site.', schema: 'Site', example: 'site' }],
    problems: [...READS, { kind: 'site-not-found' }],
  },
  {
    path: '/key',
    method: 'get',
    id: 'getKey',
    tag: 'Key',
    summary: 'Get the API key of the request',
    description: 'What the key may do, for example to check a configuration.',
    success: [{ status: 200, description: 'The API key.', schema: 'Key', example: 'key' }],
    problems: READS,
  },
];
