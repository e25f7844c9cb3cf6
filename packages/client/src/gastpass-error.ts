// The error that the client throws if the API answers with an error, or if no answer comes.

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
  status?: number;
  retryAfterS?: number;
  requestId?: string;
}

/** The message is either the German message of the API or made by the client. It never contains the API key. */
export class GastpassError extends Error {
  readonly code: ErrorCode;
  /** Undefined if no answer came. */
  readonly status: number | undefined;
  readonly retryAfterS: number | undefined;
  /** Quote this id when you contact the operator: the log of the service contains it, too. */
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

/** Reads an error response. It may come from a proxy between the client and the service. */
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
