// The error that the client throws if the API answers with an error, or if no answer comes.

import { decideRetry, type Failure, type Retry } from './retry.ts';

/** The error codes of the API, and two of the client: no answer came, or the answer is not from Gastpass. */
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'idempotency_in_progress'
  | 'payload_too_large'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'server_error'
  | 'upstream_error'
  | 'database_unavailable'
  | 'unavailable'
  | 'no_answer'
  | 'unexpected_answer';

const CODES: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'idempotency_in_progress',
  'payload_too_large',
  'idempotency_key_reused',
  'rate_limited',
  'server_error',
  'upstream_error',
  'database_unavailable',
  'unavailable',
];

interface Details {
  code: ErrorCode;
  status?: number | undefined;
  /** `no` by default. */
  retry?: Retry | undefined;
  cause?: string | undefined;
  hint?: string | undefined;
  retryAfterS?: number | undefined;
  requestId?: string | undefined;
}

/** The message is either the German message of the API or made by the client. It never contains the API key. */
export class GastpassError extends Error {
  readonly code: ErrorCode;
  /** Undefined if no answer came. */
  readonly status: number | undefined;
  /**
   * Whether the same request, with the same Idempotency-Key, is worth another attempt. The client has made its own attempts
   * by then. Undefined for a 500 of Gastpass 0.2, which does not tell: a voucher may exist.
   */
  readonly retry: Retry | undefined;
  /** Why the controller failed, if the service knows it, such as `busy`; docs/api.md lists the words. */
  override readonly cause: string | undefined;
  /** English advice of the service, where the message does not tell what is wrong. */
  readonly hint: string | undefined;
  readonly retryAfterS: number | undefined;
  /** Quote this id when you contact the operator: the log of the service contains it, too. */
  readonly requestId: string | undefined;

  constructor(message: string, details: Details) {
    super(message);
    this.name = 'GastpassError';
    this.code = details.code;
    this.status = details.status;
    this.retry = 'retry' in details ? details.retry : 'no';
    this.cause = details.cause;
    this.hint = details.hint;
    this.retryAfterS = details.retryAfterS;
    this.requestId = details.requestId;
  }
}

/** Reads an error response. It may come from a proxy between the client and the service. */
export function readError(
  response: { status: number; headers: Headers; text: string },
  attempt: Pick<Failure, 'creates' | 'mayExist'>,
): GastpassError {
  const { status, headers, text } = response;
  const retryAfterS = Number(headers.get('retry-after') ?? Number.NaN);
  const { error, message } = readBody(text);
  const location = headers.get('location');
  const redirect = location === null ? '' : `: use the address that it redirects to, ${location}`;
  return new GastpassError(message ?? error ?? `HTTP ${status}${redirect}`, {
    code: CODES.find((code) => code === error) ?? 'unexpected_answer',
    status,
    retry: decideRetry({ told: headers.get('gastpass-retry'), status, ...attempt }),
    cause: headers.get('gastpass-cause') ?? undefined,
    hint: headers.get('gastpass-hint') ?? undefined,
    retryAfterS: Number.isFinite(retryAfterS) ? retryAfterS : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
  });
}

function readBody(text: string): { error?: string; message?: string } {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null) return {};
    return {
      ...('error' in body && typeof body.error === 'string' && { error: body.error }),
      ...('message' in body && typeof body.message === 'string' && { message: body.message }),
    };
  } catch {
    return {};
  }
}
