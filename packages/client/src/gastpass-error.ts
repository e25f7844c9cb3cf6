// The error that the client throws if the API answers with a problem, or if no answer comes.

import { decideRetry, type Failure, type Retry } from './retry.ts';
import type { Batch } from './types.ts';

/** The kinds of problems of the API. */
const KINDS = [
  'invalid-json',
  'invalid-request',
  'unreadable',
  'mail-not-set-up',
  'printer-unknown',
  'unauthorized',
  'scope-missing',
  'path-unknown',
  'site-not-found',
  'profile-not-found',
  'voucher-not-found',
  'batch-not-found',
  'method-not-allowed',
  'body-too-slow',
  'idempotency-key-ended',
  'idempotency-in-progress',
  'batch-unsettled',
  'batch-not-resumable',
  'body-too-large',
  'idempotency-key-reused',
  'rate-limited',
  'too-many-mails',
  'too-many-slips',
  'server-error',
  'creation-failed',
  'no-valid-voucher',
  'revocation-failed',
  'controller-busy',
  'instance-outdated',
  'database-unavailable',
  'unavailable',
] as const;

/** The kinds of problems of the API, and two of the client: no answer came, or the answer is not from Gastpass. */
export type ErrorCode = (typeof KINDS)[number] | 'no-answer' | 'unexpected-answer';

export interface FieldError {
  field: string;
  message: string;
}

interface Details {
  code: ErrorCode;
  status?: number | undefined;
  /** `no` by default. */
  retry?: Retry | undefined;
  cause?: string | undefined;
  errors?: FieldError[];
  retryAfterS?: number | undefined;
  requestId?: string | undefined;
  batch?: Batch;
}

/** The message is English and never contains the API key. */
export class GastpassError extends Error {
  readonly code: ErrorCode;
  /** Undefined if no answer came. */
  readonly status: number | undefined;
  /**
   * Whether the same request, with the same Idempotency-Key, is worth another attempt. The client has made its own
   * attempts by then. Undefined for a 500 that does not come from Gastpass: a voucher may exist.
   */
  readonly retry: Retry | undefined;
  /**
   * Why the controller failed, if the service knows it, such as `busy`; docs/api.md lists the words. Of several
   * attempts, the first known cause counts: later attempts may only be told to wait.
   */
  override readonly cause: string | undefined;
  /** All invalid fields of the request. */
  readonly errors: FieldError[];
  readonly retryAfterS: number | undefined;
  /** Quote this id when you contact the operator: the log of the service contains it, too. */
  readonly requestId: string | undefined;
  /** The batch that lacks vouchers. Those that it has are valid. */
  readonly batch: Batch | undefined;

  constructor(message: string, details: Details) {
    super(message);
    this.name = 'GastpassError';
    this.code = details.code;
    this.status = details.status;
    this.retry = 'retry' in details ? details.retry : 'no';
    this.cause = details.cause;
    this.errors = details.errors ?? [];
    this.retryAfterS = details.retryAfterS;
    this.requestId = details.requestId;
    this.batch = details.batch;
  }
}

/** Reads an error response. It may come from a proxy between the client and the service. */
export function readError(
  response: { status: number; headers: Headers; text: string },
  { cause, ...attempt }: Pick<Failure, 'creates' | 'mayExist'> & { cause: string | undefined },
): GastpassError {
  const { status, headers, text } = response;
  const retryAfterS = Number(headers.get('retry-after') ?? Number.NaN);
  const { type = '', title, detail, errors = [] } = readProblem(text);
  const told = [title, errors.length > 0 ? errors.map(toText).join('; ') : detail].filter(Boolean).join(': ');
  return new GastpassError(told || `HTTP ${status}${adviceFor(status, headers)}`, {
    code: kindOf(type),
    status,
    retry: decideRetry({ told: headers.get('gastpass-retry'), status, ...attempt }),
    cause: cause ?? headers.get('gastpass-cause') ?? undefined,
    errors,
    retryAfterS: Number.isFinite(retryAfterS) ? retryAfterS : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
  });
}

/** A type ends with the kind, such as `/api-docs/problems#voucher-not-found`. */
export function kindOf(type: string): ErrorCode {
  return KINDS.find((kind) => type.endsWith(`#${kind}`)) ?? 'unexpected-answer';
}

const toText = ({ field, message }: FieldError) => `${field} ${message}`;

function adviceFor(status: number, headers: Headers): string {
  const location = headers.get('location');
  if (location !== null) return `: use the address that it redirects to, ${location}`;
  return status === 404 ? ': is the address the base address of the API of Gastpass 0.3 or newer?' : '';
}

interface Problem {
  type: string;
  title: string;
  detail?: string;
  errors?: FieldError[];
}

function readProblem(text: string): Partial<Problem> {
  try {
    const problem: unknown = JSON.parse(text);
    return isProblem(problem) ? problem : {};
  } catch {
    return {};
  }
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('title' in value)) return false;
  return typeof value.type === 'string' && typeof value.title === 'string';
}
