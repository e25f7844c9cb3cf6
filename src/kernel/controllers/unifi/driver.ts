// The driver for UniFi's official Network Integration API: one call creates vouchers and returns their
// codes. Needs an API key of a UniFi OS console with Network 9.1 or newer.

import { fail, ok, type Result } from '../../../platform/values/result.ts';
import {
  type Controller,
  type ControllerFailure,
  type Deletion,
  MAX_LISTED,
  MAX_VOUCHERS_PER_CALL,
  type Made,
  type OnVoucherChunk,
  type UpstreamVoucher,
} from '../controller.ts';
import type { CallOptions } from '../upstream/call-limiter.ts';
import { parseJson } from '../upstream/decode.ts';
import {
  asRepeatable,
  ENDED_EARLY,
  failureOfStatus,
  listTooLong,
  MAX_FOUND,
  MAX_SITES,
  NOT_A_LIST,
  nameSites,
  REPEATED,
  refused,
  UNEXPECTED,
  UNREADABLE,
  unreachable,
} from '../upstream/failures.ts';
import type { Upstream, UpstreamCall, UpstreamResponse, UpstreamResult } from '../upstream/upstream-http.ts';
import { within } from '../upstream/within.ts';
import {
  decodeChunk,
  decodeCreated,
  decodeDeleted,
  decodeErrorText,
  decodeSite,
  decodeVersion,
  decodeVoucher,
  isNotFound,
  type ListChunk,
  type UnifiSite,
} from './decode.ts';
import { UNIFI_BOUNDS } from './limits.ts';
import { byIds, byNames, createCall, INFO_CALL, sitesCall, voucherCall, vouchersCall } from './requests.ts';

const STILL_THERE = refused('refused', 'the controller did not delete the voucher, but still has it');
const NOT_RESOLVED = unreachable('too-slow', 'the controller did not list its sites in time');

/** Longer than the timeout of one call: a call aborted earlier would not count as a failure of the controller. */
const RESOLVE_MS = 12_000;

/** Enough for the longest list, even if each page has only a tenth of the entries that it may have. */
const MAX_CHUNKS = 5_000;

interface Deps {
  upstream: Upstream;
  apiKey: string;
  /** Short name, UUID or display name. */
  site: string;
}

export function makeUnifiDriver({ upstream, apiKey, site }: Deps): Controller {
  const headers = { 'x-api-key': apiKey, accept: 'application/json' };
  const send = (call: UpstreamCall, options: CallOptions) => upstream.send({ ...call, headers }, options);
  let siteUuid: string | undefined;
  let resolving: ReturnType<typeof readSites> | undefined;

  return {
    bounds: UNIFI_BOUNDS,

    overload: (ordering, count) => upstream.limiter.overload({ ...ordering, count, callsToFinish: 0 }),

    async createVouchers(order, count, { signal, ...ordering }) {
      const uuid = await resolveSite(signal);
      if (!uuid.ok) return uuid;
      const creation = { ...ordering, count, callsToFinish: 0 };
      const call = createCall(uuid.value, { order, count });
      const response = await send(call, { signal, priority: 'create', creation });
      if (!response.ok) return response;
      const { status, text } = response.value;
      if (status >= 200 && status < 300) {
        const vouchers = decodeCreated(text);
        const isPlausible = vouchers !== undefined && vouchers.length <= MAX_VOUCHERS_PER_CALL;
        return isPlausible ? ok<Made>({ vouchers }) : fail({ ...UNEXPECTED, withoutVoucher: true });
      }
      if (status === 404) siteUuid = undefined;
      return fail(sortStatus(response.value, 'write'));
    },

    async findVouchersNamed(names, options) {
      const found: UpstreamVoucher[] = [];
      const addNamed: OnVoucherChunk = async (chunk) => {
        for (const voucher of chunk) if (names.has(voucher.name)) found.push(voucher);
      };
      for (const filter of byNames(names)) {
        const failure = await readVouchers(filter, addNamed, options);
        if (failure) return fail(failure);
        if (found.length > MAX_FOUND) return fail(listTooLong(MAX_FOUND));
      }
      return ok(found);
    },

    forEachVoucherChunk: (onChunk, signal) => readVouchers(undefined, onChunk, { signal, priority: 'sync' }),

    /** This API keeps used vouchers in its list, so the list already shows every use. */
    async findUses() {
      return ok(new Map());
    },

    async deleteVoucher(controllerVoucherId, signal) {
      const options: CallOptions = { signal, priority: 'create' };
      const uuid = await resolveSite(signal);
      if (!uuid.ok) return uuid;
      const response = await send(voucherCall('DELETE', uuid.value, controllerVoucherId), options);
      if (!response.ok) return response;
      if (isNotFound(response.value)) return confirmAbsence(controllerVoucherId, uuid.value, options);
      if (response.value.status !== 200) return fail(sortStatus(response.value, 'write'));
      const deleted = decodeDeleted(response.value.text);
      if (deleted === undefined) return fail(UNEXPECTED);
      return deleted > 0 ? ok('deleted') : confirmAbsence(controllerVoucherId, uuid.value, options);
    },

    async listsAny(controllerVoucherIds, signal) {
      const wanted = new Set(controllerVoucherIds);
      let isListed = false;
      const failure = await readVouchers(
        byIds(controllerVoucherIds),
        async (chunk) => {
          isListed ||= chunk.some(({ controllerVoucherId: id }) => id !== null && wanted.has(id));
        },
        { signal, priority: 'create' },
      );
      return failure ? fail(failure) : ok(isListed);
    },

    async listSites(signal) {
      const options: CallOptions = { signal, priority: 'settle' };
      const info = await read(INFO_CALL, options);
      if (!info.ok) return info;
      const sites = await readSites(options);
      return sites.ok
        ? ok(sites.value.map(({ id, internalReference, name }) => ({ id: internalReference || id, name })))
        : sites;
    },

    async check(signal) {
      const options: CallOptions = { signal, priority: 'settle' };
      const info = await read(INFO_CALL, options);
      if (!info.ok) return info.problem;
      const uuid = await resolveSite(options.signal);
      return uuid.ok ? undefined : uuid.problem;
    },

    async readVersion(signal) {
      const info = await read(INFO_CALL, { signal, priority: 'settle' });
      return info.ok ? decodeVersion(info.value.text) : undefined;
    },
  };

  /**
   * Called when the controller did not find the voucher. The voucher counts as absent only if the site still has the
   * same id, and the controller itself says again that the voucher does not exist.
   */
  async function confirmAbsence(
    controllerVoucherId: string,
    askedUuid: string,
    options: CallOptions,
  ): Promise<Result<Deletion, ControllerFailure>> {
    siteUuid = undefined;
    const uuid = await resolveSite(options.signal);
    if (!uuid.ok) return uuid;
    if (uuid.value !== askedUuid) {
      siteUuid = undefined;
      return fail(
        refused(
          'other-console',
          `the site "${site}" has another id on the controller than before: it may have been set up anew or replaced`,
        ),
      );
    }
    const response = await send(voucherCall('GET', uuid.value, controllerVoucherId), options);
    if (!response.ok) return fail(asRepeatable(response.problem));
    if (isNotFound(response.value)) return ok('absent');
    return fail(
      response.value.status === 200 ? describeFound(response.value.text) : sortStatus(response.value, 'read'),
    );
  }

  /** Sends a call that changes nothing. Any status other than 200 is a failure. */
  async function read(call: UpstreamCall, options: CallOptions): Promise<UpstreamResult> {
    const response = await send(call, options);
    if (!response.ok) return response;
    const { status } = response.value;
    return status === 200 ? response : fail(sortStatus(response.value, call === INFO_CALL ? 'info' : 'read'));
  }

  async function readChunk<Item>(
    call: UpstreamCall,
    decodeItem: (value: unknown) => Item | undefined,
    options: CallOptions,
  ): Promise<Result<ListChunk<Item>, ControllerFailure>> {
    const response = await read(call, options);
    if (!response.ok) return response;
    const chunk = decodeChunk(response.value.text, decodeItem);
    return chunk ? ok(chunk) : fail(NOT_A_LIST);
  }

  async function resolveSite(signal: AbortSignal): Promise<Result<string, ControllerFailure>> {
    if (siteUuid !== undefined) return ok(siteUuid);
    const listed = await within(signal, readSitesOnce, fail(NOT_RESOLVED));
    if (!listed.ok) return listed;
    const match =
      listed.value.find(
        ({ internalReference, id }) => internalReference === site || id === site.toLowerCase(),
      ) ?? listed.value.find(({ name }) => name === site);
    siteUuid = match?.id;
    if (match) return ok(match.id);
    const known = nameSites(listed.value.map(({ internalReference }) => internalReference));
    return fail(refused('no-such-site', `the controller has no site "${site}"; it has: ${known}`));
  }

  /** Callers that need the site's UUID share one lookup. */
  function readSitesOnce(): ReturnType<typeof readSites> {
    const signal = AbortSignal.timeout(RESOLVE_MS);
    resolving ??= readSites({ signal, priority: 'finish' }).finally(() => {
      resolving = undefined;
    });
    return resolving;
  }

  async function readSites(options: CallOptions): Promise<Result<UnifiSite[], ControllerFailure>> {
    const sites: UnifiSite[] = [];
    const failure = await readChunks(
      {
        callAt: sitesCall,
        decodeItem: decodeSite,
        onChunk: async (chunk) => void sites.push(...chunk),
        max: MAX_SITES,
      },
      options,
    );
    return failure ? fail(asRepeatable(failure)) : ok(sites);
  }

  async function readVouchers(
    filter: string | undefined,
    onChunk: OnVoucherChunk,
    options: CallOptions,
  ): Promise<ControllerFailure | undefined> {
    const uuid = await resolveSite(options.signal);
    if (!uuid.ok) return uuid.problem;
    const callAt = (offset: number) => vouchersCall(uuid.value, { offset, filter });
    const list = { callAt, decodeItem: decodeVoucher, onChunk, max: MAX_LISTED };
    return readChunks(list, options);
  }

  /** Returns undefined if the list was read to its end. */
  async function readChunks<Item extends UnifiSite | UpstreamVoucher>(
    { callAt, decodeItem, onChunk, max }: List<Item>,
    options: CallOptions,
  ): Promise<ControllerFailure | undefined> {
    let firstOfChunk: string | undefined;
    for (let offset = 0, chunks = 1; ; chunks++) {
      const chunk = await readChunk(callAt(offset), decodeItem, options);
      if (!chunk.ok) return chunk.problem;
      const { items, received, totalCount } = chunk.value;
      if (totalCount > max || offset + received > max || chunks > MAX_CHUNKS) return listTooLong(max);
      if (items.length < received) return UNREADABLE;
      // A total below the number of entries already received is implausible: the list counts as incomplete.
      if (totalCount < offset) return ENDED_EARLY;
      // Detects a controller that ignores the offset and sends the same page again. Only the first entries are
      // compared, because pages may overlap while vouchers are created.
      const [first] = items;
      const firstId = first && idOf(first);
      if (firstId !== undefined && firstId === firstOfChunk) return REPEATED;
      firstOfChunk = firstId;
      await onChunk(items);
      offset += received;
      if (offset >= totalCount) return undefined;
      if (received === 0) return ENDED_EARLY;
    }
  }
}

/** The failure if the controller did not find the voucher to delete, but then answered a read of it with 200. */
function describeFound(text: string): ControllerFailure {
  return decodeVoucher(parseJson(text)) ? STILL_THERE : UNEXPECTED;
}

interface List<Item> {
  callAt: (offset: number) => UpstreamCall;
  decodeItem: (value: unknown) => Item | undefined;
  onChunk: (items: Item[]) => Promise<void>;
  max: number;
}

const idOf = (item: UnifiSite | UpstreamVoucher) =>
  'id' in item ? item.id : (item.controllerVoucherId ?? undefined);

function sortStatus(response: UpstreamResponse, what: 'write' | 'read' | 'info'): ControllerFailure {
  const { status, text, headers } = response;
  const said = decodeErrorText(text);
  const detail = said ? `: ${said}` : '';
  if (status === 401) return refused('api-key', `the controller rejects the API key (401)${detail}`);
  if (status === 403) return refused('role', `the API key's role is too low (403)${detail}`);
  if (status === 404 && what === 'info')
    return refused(
      'api-missing',
      'the controller has no Integration API (404): it is too old or not UniFi OS; use the kind unifi-classic',
    );
  return failureOfStatus(status, { detail, isWrite: what === 'write', retryAfter: headers['retry-after'] });
}
