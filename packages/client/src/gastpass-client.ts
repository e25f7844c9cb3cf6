// A client of the API for programs in TypeScript and JavaScript, also used by `gastpass mcp`. It imports no code of the
// service. Every request is safe to repeat. A failed request is repeated if another attempt may succeed.

import { GastpassError, readError } from './gastpass-error.ts';

/** Field names are those of the API. */
export interface Site {
  /** The number to use as `site_id` in requests. */
  id: number;
  name: string;
  /** The site's own name on its controller. */
  site_id: string;
}

export interface Voucher {
  voucher_code: string;
  /** `<YYYY-MM-DD>_<name>` */
  voucher_name: string;
  /** 0 means unlimited. */
  max_uses: number;
  expire_minutes: number;
  status: 'valid' | 'used' | 'expired';
  used_count: number;
  created_at: string;
  /** Null until the first use is known. */
  expires_at: string | null;
}

export interface VoucherOrder {
  site_id: number;
  name: string;
  max_uses?: number;
  /** Counted from the first use. */
  expire_minutes?: number;
  /** `down` and `up` are in kbit/s, `quota_mb` in MB; 0 means unlimited. */
  qos?: { down?: number; up?: number; quota_mb?: number };
}

export interface CreatedVoucher {
  success: true;
  code: string;
  formatted_code: string;
  site: string;
  max_uses: number;
  expire_minutes: number;
}

export interface ClientOptions {
  /** The base address of the API, for example `https://wifi.example.org/api`. */
  url: string;
  key: string;
  /** How long to wait for one answer. The service answers within 20 seconds. */
  timeoutMs?: number;
  /**
   * How long to keep repeating a failed request; 0 means no repetition. Two minutes are usually enough to learn whether
   * a voucher was created, even if the controller did not answer the service.
   */
  patienceMs?: number;
  fetch?: typeof fetch;
}

export interface GastpassClient {
  /** The active sites that the key may use. */
  listSites(): Promise<Site[]>;
  /** The newest vouchers of a site, at most 200. Returns the previous call's array if nothing has changed since. */
  listVouchers(siteId: number): Promise<Voucher[]>;
  /**
   * Creates only one voucher, even if the request is repeated. Pass your own Idempotency-Key, such as a booking number,
   * to get the same voucher again after a restart of your program, for up to 24 hours.
   */
  createVoucher(order: VoucherOrder, options?: { idempotencyKey?: string }): Promise<CreatedVoucher>;
  /** Revokes a voucher. This also succeeds if the voucher is already revoked. The code may contain dashes. */
  revokeVoucher(siteId: number, code: string): Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
/** The statuses after which another attempt may succeed. Undefined means that no answer came. */
const WORTH_REPEATING: (number | undefined)[] = [undefined, 408, 409, 429, 500, 502, 503, 504];

interface Request {
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

export function makeGastpassClient(options: ClientOptions): GastpassClient {
  const { key, timeoutMs = 30_000, patienceMs = 60_000 } = options;
  const base = options.url.replace(/\/+$/, '');
  const send = options.fetch ?? fetch;
  const lists = new Map<number, { etag: string; vouchers: Voucher[] }>();

  return {
    async listSites() {
      return read(await call({ path: 'sites.php' }), isSiteList).sites;
    },

    async listVouchers(siteId) {
      const known = lists.get(siteId);
      const headers = known ? { 'if-none-match': known.etag } : {};
      const response = await call({ path: `vouchers.php?site_id=${siteId}`, headers });
      if (response.status === 304 && known) return known.vouchers;
      const { vouchers } = read(response, isVoucherList);
      const etag = response.headers.get('etag');
      if (etag !== null) lists.set(siteId, { etag, vouchers });
      return vouchers;
    },

    async createVoucher(order, { idempotencyKey = crypto.randomUUID() } = {}) {
      const headers = { 'idempotency-key': idempotencyKey };
      return read(await call({ path: 'vouchers.php', body: JSON.stringify(order), headers }), isCreated);
    },

    async revokeVoucher(siteId, code) {
      await call({ path: 'revoke.php', body: JSON.stringify({ site_id: siteId, code }) });
    },
  };

  /** Repeats the same request until it succeeds, another attempt cannot help, or `patienceMs` is over. */
  async function call(request: Request): Promise<ApiResponse> {
    const endsAtMs = performance.now() + patienceMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const response = await attempt(request);
      if (!(response instanceof GastpassError)) return response;
      const waitMs = Math.max(pauseMs, (response.retryAfterS ?? 0) * 1000);
      if (!WORTH_REPEATING.includes(response.status) || performance.now() + waitMs > endsAtMs) throw response;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  async function attempt({ path, body, headers }: Request): Promise<ApiResponse | GastpassError> {
    try {
      const response = await send(`${base}/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(timeoutMs),
        // Do not follow redirects: fetch would repeat a redirected POST as a GET.
        redirect: 'manual',
      });
      const text = await response.text();
      const { status } = response;
      return response.ok || status === 304
        ? { status, headers: response.headers, text }
        : readError({ status, headers: response.headers, text });
    } catch (error) {
      const why =
        error instanceof Error && error.name === 'TimeoutError' ? `within ${timeoutMs} ms` : whyOf(error);
      return new GastpassError(`No answer from ${base}: ${why}`, { code: 'no_answer' });
    }
  }
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** The message `fetch failed` does not tell the reason; the `cause` of the error does. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message;
}

function read<Value>({ status, text }: ApiResponse, isExpected: (value: unknown) => value is Value): Value {
  const value = parse(text);
  if (isExpected(value)) return value;
  throw new GastpassError('The answer is not one of Gastpass: is the address the base address of its API?', {
    status,
    code: 'unexpected_answer',
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSiteList(value: unknown): value is { sites: Site[] } {
  return typeof value === 'object' && value !== null && 'sites' in value && Array.isArray(value.sites);
}

function isVoucherList(value: unknown): value is { vouchers: Voucher[] } {
  return typeof value === 'object' && value !== null && 'vouchers' in value && Array.isArray(value.vouchers);
}

function isCreated(value: unknown): value is CreatedVoucher {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string';
}
