// A client of the API for programs in TypeScript and JavaScript, also used by `gastpass mcp`. It imports no code of the
// service. Every request is safe to repeat. A failed request is repeated if another attempt may succeed.

import { GastpassError, readError } from './gastpass-error.ts';
import { decideRetry, type Failure, pause, pauseBefore, type Retry } from './retry.ts';

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
  /** The voucher was created before: by an earlier call with this Idempotency-Key, or by an attempt whose answer was lost. */
  replayed: boolean;
  /** An earlier voucher of this Idempotency-Key was revoked, deleted or has expired; this one replaces it. */
  freed: boolean;
}

export interface ClientOptions {
  /** The base address of the API, for example `https://wifi.example.org/api`. */
  url: string;
  key: string;
  /** How long to wait for one answer. The service answers within 20 seconds. */
  timeoutMs?: number;
  /**
   * How long to keep repeating a failed request; 0 means no repetition. By default a minute, or two minutes if a voucher
   * may exist: usually enough to get it.
   */
  patienceMs?: number;
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call, also while it waits for the next attempt. The call then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
}

export interface CreationOptions extends CallOptions {
  idempotencyKey?: string | undefined;
}

export interface GastpassClient {
  /** The active sites that the key may use. */
  listSites(options?: CallOptions): Promise<Site[]>;
  /** The newest vouchers of a site, at most 200. Returns the previous call's array if nothing has changed since. */
  listVouchers(siteId: number, options?: CallOptions): Promise<Voucher[]>;
  /**
   * Creates only one voucher, even if the request is repeated. Pass your own Idempotency-Key, such as a booking number
   * with a revision, to get the same voucher again after a restart of your program, for up to 24 hours.
   */
  createVoucher(order: VoucherOrder, options?: CreationOptions): Promise<CreatedVoucher>;
  /** Revokes a voucher. This also succeeds if the voucher is already revoked. The code may contain dashes. */
  revokeVoucher(siteId: number, code: string, options?: CallOptions): Promise<void>;
}

interface Request {
  path: string;
  body?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export function makeGastpassClient(options: ClientOptions): GastpassClient {
  const { timeoutMs = 30_000, patienceMs } = options;
  const base = readBase(options.url);
  const key = readKey(options.key);
  const send = options.fetch ?? fetch;
  const lists = new Map<number, { etag: string; vouchers: Voucher[] }>();

  return {
    async listSites({ signal } = {}) {
      return read(await call({ path: 'sites.php', signal }), isSiteList).sites;
    },

    async listVouchers(siteId, { signal } = {}) {
      const known = lists.get(siteId);
      const headers = known ? { 'if-none-match': known.etag } : {};
      const response = await call({ path: `vouchers.php?site_id=${siteId}`, headers, signal });
      if (response.status === 304 && known) return known.vouchers;
      const { vouchers } = read(response, isVoucherList);
      const etag = response.headers.get('etag');
      if (etag !== null) lists.set(siteId, { etag, vouchers });
      return vouchers;
    },

    async createVoucher(order, { idempotencyKey = crypto.randomUUID(), signal } = {}) {
      const headers = { 'idempotency-key': idempotencyKey };
      const response = await call({ path: 'vouchers.php', body: JSON.stringify(order), headers, signal });
      return {
        ...read(response, isCreated),
        replayed: response.headers.get('idempotent-replayed') === 'true',
        freed: response.headers.get('idempotency-key-freed') === 'true',
      };
    },

    async revokeVoucher(siteId, code, { signal } = {}) {
      await call({ path: 'revoke.php', body: JSON.stringify({ site_id: siteId, code }), signal });
    },
  };

  /** Repeats the same request until it succeeds, another attempt cannot help, or the patience is over. */
  async function call(request: Request): Promise<ApiResponse> {
    const startedAtMs = performance.now();
    const creates = request.headers?.['idempotency-key'] !== undefined;
    let mayExist = false;
    for (let next = 2; ; next++) {
      const response = await attempt(request, { creates, mayExist });
      if (!(response instanceof GastpassError)) return response;
      mayExist ||= creates && response.retry !== 'no' && response.retry !== 'yes';
      const elapsedMs = performance.now() - startedAtMs;
      const waitMs = pauseBefore(next, response, { elapsedMs, patienceMs });
      if (waitMs === undefined) throw response;
      await pause(waitMs, request.signal);
    }
  }

  async function attempt(
    { path, body, headers: more, signal }: Request,
    state: Pick<Failure, 'creates' | 'mayExist'>,
  ): Promise<ApiResponse | GastpassError> {
    const headers = new Headers({ authorization: `Bearer ${key}`, ...more });
    if (body !== undefined) headers.set('content-type', 'application/json');
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await send(`${base}/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers,
        ...(body !== undefined && { body }),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        // Do not follow redirects: fetch would repeat a redirected POST as a GET.
        redirect: 'manual',
      });
      const text = await response.text();
      const { status } = response;
      return response.ok || status === 304
        ? { status, headers: response.headers, text }
        : readError({ status, headers: response.headers, text }, state);
    } catch (error) {
      signal?.throwIfAborted();
      const why = timeout.aborted ? `within ${timeoutMs} ms` : whyOf(error);
      return new GastpassError(`No answer from ${base}: ${why}`, {
        code: 'no_answer',
        retry: decideRetry({ told: toldByNetwork(error), ...state }),
      });
    }
  }
}

/** The message does not repeat the value: somebody may have passed the key instead. */
function readBase(url: string | undefined): string {
  const expected = 'pass the base address of the API, such as https://wifi.example.org/api';
  if (!url) throw new TypeError(`The url is missing: ${expected}`);
  if (!/^https?:\/\//i.test(url)) throw new TypeError(`The url lacks https:// at its beginning: ${expected}`);
  if (!URL.canParse(url)) throw new TypeError(`The url is not an address: ${expected}`);
  return url.replace(/\/+$/, '');
}

function readKey(key: string | undefined): string {
  if (!key) throw new TypeError('The key is missing: pass an API key');
  if (!/^[\x21-\x7e]+$/.test(key.trim()))
    throw new TypeError('The key contains characters that no API key has');
  return key.trim();
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

/** What the error of a connection tells: the request was certainly not sent, or a certificate is not accepted. */
function toldByNetwork(error: unknown): Retry | null {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  if (/CERT|SIGNATURE/.test(code)) return 'no';
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code) ? 'yes' : null;
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

function isCreated(value: unknown): value is Omit<CreatedVoucher, 'replayed' | 'freed'> {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string';
}
