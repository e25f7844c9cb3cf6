// The error of the client: what the API answered, or that no answer came.

/** The codes of the API, and two of the client: no answer came, or the answer was not one of Gastpass. */
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
  status?: number;
  retryAfterS?: number;
  requestId?: string;
}

/** Its message is the message of the API, in German, or one of the client. The key is never in it. */
export class GastpassError extends Error {
  readonly code: ErrorCode;
  /** Undefined if no answer came. */
  readonly status: number | undefined;
  readonly retryAfterS: number | undefined;
  /** Name it when you contact the operator: the log of the service has the same id. */
  readonly requestId: string | undefined;

  constructor(message: string, { code, status, retryAfterS, requestId }: Details) {
    super(message);
    this.name = 'GastpassError';
    this.code = code;
    this.status = status;
    this.retryAfterS = retryAfterS;
    this.requestId = requestId;
  }
}

/** Reads an answer that is no success. A proxy in between may have written it. */
export function readError(response: { status: number; headers: Headers; text: string }): GastpassError {
  const { status, headers, text } = response;
  const retryAfterS = Number(headers.get('retry-after') ?? Number.NaN);
  const requestId = headers.get('x-request-id');
  const { error, message } = readBody(text);
  const location = headers.get('location');
  const redirect = location === null ? '' : `: use the address that it redirects to, ${location}`;
  return new GastpassError(message ?? error ?? `HTTP ${status}${redirect}`, {
    code: CODES.find((code) => code === error) ?? 'unexpected_answer',
    status,
    ...(Number.isFinite(retryAfterS) && { retryAfterS }),
    ...(requestId !== null && { requestId }),
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
