// A client of the API v1 for programs in TypeScript and JavaScript, also used by `gastpass mcp`. It imports no code of
// the service. Every request is safe to repeat.

import { GastpassError, kindOf } from './gastpass-error.ts';
import { pause } from './retry.ts';
import { type ApiResponse, type ClientOptions, makeSend, type Send } from './send.ts';
import type {
  Batch,
  CreatedVoucher,
  CreatedVouchers,
  Key,
  Repetition,
  Replaced,
  Site,
  Voucher,
  VoucherFilter,
  VoucherOrder,
  VoucherPage,
  VoucherWithHistory,
} from './types.ts';

/** How long to wait before looking at a batch again. */
const BATCH_PAUSE_MS = { first: 250, max: 5_000 };

/** The number of pages that are kept with their ETag. */
const MAX_KEPT_PAGES = 20;

export interface CallOptions {
  /** Ends the call, also while it waits for the next attempt. The call then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
}

export interface CreationOptions extends CallOptions {
  idempotencyKey?: string | undefined;
  /** `conflict`: if the vouchers of this Idempotency-Key have ended, the call fails instead of creating new ones. */
  ifEnded?: 'conflict' | undefined;
}

export interface GastpassClient {
  /** The active sites that the key may use. */
  listSites(options?: CallOptions): Promise<Site[]>;
  getSite(id: number, options?: CallOptions): Promise<Site>;
  /**
   * One page of vouchers, newest first. Pass its `next_cursor` as `cursor` to get the next page. Returns the same
   * object as an earlier call if the page has not changed since.
   */
  listVouchers(
    filter?: VoucherFilter & { cursor?: string | undefined },
    options?: CallOptions,
  ): Promise<VoucherPage>;
  /** All vouchers, newest first. Reads one page after the other, as far as the caller iterates. */
  eachVoucher(filter?: VoucherFilter, options?: CallOptions): AsyncGenerator<Voucher, void>;
  getVoucher(id: number, options?: CallOptions): Promise<VoucherWithHistory>;
  /** The newest voucher of the site with this code. The code may contain dashes. */
  getVoucherByCode(site: number, code: string, options?: CallOptions): Promise<VoucherWithHistory>;
  /**
   * Creates only one voucher, even if the request is repeated. Pass your own Idempotency-Key, such as a booking number
   * with a revision, to get the same voucher again after a restart of your program, for up to 24 hours.
   */
  createVoucher(order: VoucherOrder, options?: CreationOptions): Promise<CreatedVoucher>;
  /**
   * Creates 1 to 500 equal vouchers and waits until all of them exist. Throws an error that has the `batch` if vouchers
   * are missing in the end. With `wait: false` it returns as soon as the service has accepted the order.
   */
  createVouchers(
    order: VoucherOrder & { count: number },
    options?: CreationOptions & { wait?: boolean | undefined },
  ): Promise<CreatedVouchers>;
  getBatch(id: string, options?: CallOptions): Promise<Batch>;
  /**
   * Orders the vouchers that a failed batch lacks, and waits until all of them exist, as `createVouchers` does. A
   * running or complete batch stays as it is.
   */
  resumeBatch(id: string, options?: CallOptions & { wait?: boolean | undefined }): Promise<Batch>;
  /**
   * Revokes a voucher, named by its id or by its site and code. This also succeeds if the voucher is already revoked.
   */
  revokeVoucher(
    voucher: number | { site: number; code: string },
    options?: CallOptions,
  ): Promise<VoucherWithHistory>;
  /** What the API key may do. */
  getKey(options?: CallOptions): Promise<Key>;
}

export function makeGastpassClient(options: ClientOptions): GastpassClient {
  const send = makeSend(options);
  const listVouchers = makeListVouchers(send);

  const getBatch: GastpassClient['getBatch'] = async (id, { signal } = {}) =>
    read<Batch>(await send({ path: `/batches/${encodeURIComponent(id)}`, signal }), 'state');

  const getVoucherByCode: GastpassClient['getVoucherByCode'] = async (site, code, { signal } = {}) =>
    readVoucher(await send({ path: `/vouchers/by-code/${site}/${encodeURIComponent(code)}`, signal }));

  async function order(
    body: VoucherOrder,
    { idempotencyKey = crypto.randomUUID(), ifEnded, signal }: CreationOptions,
  ): Promise<CreatedVouchers> {
    const headers = { 'idempotency-key': idempotencyKey, ...(ifEnded && { 'gastpass-if-ended': ifEnded }) };
    const response = await send({
      path: '/vouchers',
      method: 'POST',
      body: JSON.stringify(body),
      headers,
      signal,
    });
    const told = readRepetition(response);
    if (response.status !== 202)
      return {
        ...read<{ vouchers: Voucher[]; replaced?: Replaced[] }>(response, 'vouchers'),
        batch: null,
        ...told,
      };
    const { batch } = read<{ batch: Batch }>(response, 'batch');
    return { vouchers: batch.vouchers, batch, ...told };
  }

  async function waitFor(batch: Batch, signal: AbortSignal | undefined): Promise<Batch> {
    let [last, pauseMs] = [batch, BATCH_PAUSE_MS.first];
    while (last.state === 'running') {
      await pause(pauseMs, signal);
      pauseMs = Math.min(2 * pauseMs, BATCH_PAUSE_MS.max);
      last = await getBatch(batch.id, { signal });
    }
    if (last.state === 'failed') throw toError(last);
    return last;
  }

  return {
    async listSites({ signal } = {}) {
      return read<{ sites: Site[] }>(await send({ path: '/sites', signal }), 'sites').sites;
    },

    async getSite(id, { signal } = {}) {
      return read<Site>(await send({ path: `/sites/${id}`, signal }), 'limits');
    },

    listVouchers,

    async *eachVoucher(filter, callOptions) {
      for (let cursor: string | undefined; ; ) {
        const { vouchers, next_cursor } = await listVouchers({ ...filter, cursor }, callOptions);
        yield* vouchers;
        if (next_cursor === null) return;
        cursor = next_cursor;
      }
    },

    async getVoucher(id, { signal } = {}) {
      return readVoucher(await send({ path: `/vouchers/${id}`, signal }));
    },

    getVoucherByCode,

    async createVoucher(wanted, creation = {}) {
      const { vouchers, replayed, freed, replaced } = await order(wanted, creation);
      const [voucher] = vouchers;
      if (!voucher) throw unexpected(201);
      return { ...voucher, replayed, freed, ...(replaced && { replaced }) };
    },

    async createVouchers(wanted, { wait = true, ...creation } = {}) {
      const created = await order(wanted, creation);
      if (!created.batch || !wait) return created;
      const batch = await waitFor(created.batch, creation.signal);
      return { ...created, vouchers: batch.vouchers, batch };
    },

    getBatch,

    async resumeBatch(id, { wait = true, signal } = {}) {
      const path = `/batches/${encodeURIComponent(id)}/resume`;
      const { batch } = read<{ batch: Batch }>(await send({ path, method: 'POST', signal }), 'batch');
      return wait ? waitFor(batch, signal) : batch;
    },

    async revokeVoucher(voucher, { signal } = {}) {
      const id =
        typeof voucher === 'number'
          ? voucher
          : (await getVoucherByCode(voucher.site, voucher.code, { signal })).id;
      return readVoucher(await send({ path: `/vouchers/${id}/revoke`, method: 'POST', signal }));
    },

    async getKey({ signal } = {}) {
      return read<Key>(await send({ path: '/key', signal }), 'scope');
    },
  };
}

/** Keeps the first pages of lists, so that a program that asks again and again gets only what has changed. */
function makeListVouchers(send: Send): GastpassClient['listVouchers'] {
  const kept = new Map<string, { etag: string; page: VoucherPage }>();

  return async function listVouchers(filter = {}, { signal } = {}) {
    const path = `/vouchers${toQuery(filter)}`;
    const known = kept.get(path);
    const headers = known ? { 'if-none-match': known.etag } : {};
    const response = await send({ path, headers, signal });
    if (response.status === 304 && known) return known.page;
    const page = read<VoucherPage>(response, 'vouchers');
    const etag = response.headers.get('etag');
    kept.delete(path);
    if (etag !== null && !filter.cursor) kept.set(path, { etag, page });
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size > MAX_KEPT_PAGES) kept.delete(oldest);
    return page;
  };
}

function toQuery(filter: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, String(value));
  return query.size > 0 ? `?${query}` : '';
}

function readRepetition({ headers }: ApiResponse): Repetition {
  return {
    replayed: headers.get('idempotent-replayed') === 'true',
    freed: headers.get('idempotency-key-freed') === 'true',
  };
}

const readVoucher = (response: ApiResponse) => read<VoucherWithHistory>(response, 'history');

/** `field`: a field that tells the expected body from the answer of something else. */
function read<Body extends object>({ status, text }: ApiResponse, field: keyof Body & string): Body {
  const value = parse(text);
  if (hasField<Body>(value, field)) return value;
  throw unexpected(status);
}

function hasField<Body extends object>(value: unknown, field: string): value is Body {
  return typeof value === 'object' && value !== null && field in value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unexpected(status: number): GastpassError {
  return new GastpassError('The answer is not one of Gastpass: is the address the base address of its API?', {
    status,
    code: 'unexpected-answer',
  });
}

function toError(batch: Batch): GastpassError {
  const { count, created, problem } = batch;
  return new GastpassError(`Only ${created} of ${count} vouchers were created`, {
    code: kindOf(problem?.type ?? ''),
    retry: problem?.retry ?? 'no',
    cause: problem?.cause ?? undefined,
    batch,
  });
}
