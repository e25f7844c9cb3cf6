// The driver for UniFi's official Network Integration API: one call creates vouchers and returns their
// codes. Needs an API key of a UniFi OS console with Network 9.1 or newer.

import type {
  Controller,
  ControllerBounds,
  ControllerFailure,
  Deletion,
  Made,
  OnVoucherPage,
  UpstreamVoucher,
} from '../../domain/controller.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { CallOptions } from '../upstream/call-limiter.ts';
import { parseJson } from '../upstream/decode.ts';
import type { Upstream, UpstreamAnswer, UpstreamCall } from '../upstream/upstream-http.ts';
import { within } from '../upstream/within.ts';
import {
  decodeCreated,
  decodeDeleted,
  decodeErrorText,
  decodePage,
  decodeSite,
  decodeVersion,
  decodeVoucher,
  isNotFound,
  type Page,
  type UnifiSite,
} from './decode.ts';
import {
  byIds,
  byNames,
  createCall,
  deleteCall,
  infoCall,
  sitesCall,
  voucherCall,
  vouchersCall,
} from './requests.ts';

export const UNIFI_BOUNDS: ControllerBounds = {
  expireMinutes: { max: 1_000_000 },
  downKbps: { min: 2, max: 100_000 },
  upKbps: { min: 2, max: 100_000 },
  quotaMb: { min: 1, max: 1_048_576 },
};

const ENDED_EARLY: ControllerFailure = {
  kind: 'refused',
  cause: 'failed',
  text: 'the controller ended its list before its end',
};

const UNEXPECTED: ControllerFailure = {
  kind: 'outcome-unknown',
  cause: 'not-unifi',
  text: 'the controller returned an unexpected response',
};

const STILL_THERE: ControllerFailure = {
  kind: 'refused',
  cause: 'refused',
  text: 'the controller did not delete the voucher, but still has it',
};

const NOT_RESOLVED: ControllerFailure = {
  kind: 'unreachable',
  cause: 'too-slow',
  text: 'the controller did not list its sites in time',
};

/** Longer than the timeout of one call, so that a call without a response counts as a failure of the controller. */
const RESOLVE_MS = 12_000;

interface Deps {
  upstream: Upstream;
  apiKey: string;
  /** Short name, UUID or display name. */
  site: string;
}

export function makeUnifiDriver({ upstream, apiKey, site }: Deps): Controller {
  let siteUuid: string | undefined;
  let resolving: ReturnType<typeof readSites> | undefined;

  return {
    bounds: UNIFI_BOUNDS,

    overload: (ordering, count) => upstream.limiter.overload({ ...ordering, count, callsToFinish: 0 }),

    async createVouchers(order, count, { signal, ...ordering }) {
      const uuid = await resolveSite(signal);
      if (!uuid.ok) return uuid;
      const creation = { ...ordering, count, callsToFinish: 0 };
      const call = createCall(apiKey, uuid.value, { order, count });
      const answer = await upstream.send(call, { signal, priority: 'create', creation });
      if (!answer.ok) return answer;
      const { status, text } = answer.value;
      if (status >= 200 && status < 300) {
        const vouchers = decodeCreated(text);
        // The response is not in the controller's format, but the vouchers may have been created.
        return vouchers ? ok<Made>({ vouchers }) : fail({ ...UNEXPECTED, withoutVoucher: true });
      }
      if (status === 404) siteUuid = undefined;
      return fail(sortStatus(answer.value, 'write'));
    },

    async findVouchersNamed(names, options) {
      const found: UpstreamVoucher[] = [];
      for (const filter of byNames(names)) {
        const failure = await readPages(filter, async (page) => void found.push(...page), options);
        if (failure) return fail(failure);
      }
      return ok(found);
    },

    forEachVoucherPage: (onPage, signal) => readPages(undefined, onPage, { signal, priority: 'sync' }),

    /** This API keeps used vouchers in its list, so the list already shows every use. */
    async findUses() {
      return ok(new Map());
    },

    async deleteVoucher(controllerVoucherId, signal) {
      const options: CallOptions = { signal, priority: 'create' };
      const uuid = await resolveSite(signal);
      if (!uuid.ok) return uuid;
      const answer = await upstream.send(deleteCall(apiKey, uuid.value, controllerVoucherId), options);
      if (!answer.ok) return answer;
      if (isNotFound(answer.value)) return confirmAbsence(controllerVoucherId, uuid.value, options);
      if (answer.value.status !== 200) return fail(sortStatus(answer.value, 'write'));
      const deleted = decodeDeleted(answer.value.text);
      if (deleted === undefined) return fail(UNEXPECTED);
      return deleted > 0 ? ok('deleted') : confirmAbsence(controllerVoucherId, uuid.value, options);
    },

    async listsAny(controllerVoucherIds, signal) {
      const filter = byIds(controllerVoucherIds);
      if (filter === undefined) return ok(false);
      const uuid = await resolveSite(signal);
      if (!uuid.ok) return uuid;
      const call = vouchersCall(apiKey, uuid.value, { offset: 0, filter });
      const page = await readPage(call, decodeVoucher, { signal, priority: 'create' });
      if (!page.ok) return page;
      const listed = new Set(page.value.items.map((voucher) => voucher.controllerVoucherId));
      return ok(controllerVoucherIds.some((id) => listed.has(id)));
    },

    async listSites(signal) {
      const options: CallOptions = { signal, priority: 'settle' };
      const info = await read(infoCall(apiKey), options);
      if (!info.ok) return info;
      const sites = await readSites(options);
      return sites.ok
        ? ok(sites.value.map(({ id, internalReference, name }) => ({ id: internalReference || id, name })))
        : sites;
    },

    async check(signal) {
      const options: CallOptions = { signal, priority: 'settle' };
      const info = await read(infoCall(apiKey), options);
      if (!info.ok) return info.problem;
      const uuid = await resolveSite(options.signal);
      return uuid.ok ? undefined : uuid.problem;
    },

    async readVersion(signal) {
      const info = await read(infoCall(apiKey), { signal, priority: 'settle' });
      return info.ok ? decodeVersion(info.value.text) : undefined;
    },
  };

  /**
   * The controller did not find the voucher. That counts only if the site still has the same id, and the controller
   * itself says again that the voucher does not exist.
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
      return fail({
        kind: 'refused',
        cause: 'other-console',
        text: `the site "${site}" has another id on the controller than before: it may have been set up anew or replaced`,
      });
    }
    const answer = await upstream.send(voucherCall(apiKey, uuid.value, controllerVoucherId), options);
    if (!answer.ok) return fail({ ...answer.problem, kind: safeKind(answer.problem.kind) });
    if (isNotFound(answer.value)) return ok('absent');
    return fail(
      answer.value.status === 200 ? describeFound(answer.value.text) : sortStatus(answer.value, 'read'),
    );
  }

  /** Sends a call that changes nothing. Any status other than 200 is a failure. */
  async function read(
    call: UpstreamCall,
    options: CallOptions,
  ): Promise<Result<UpstreamAnswer, ControllerFailure>> {
    const answer = await upstream.send(call, options);
    if (!answer.ok) return answer;
    const { status } = answer.value;
    return status === 200
      ? answer
      : fail(sortStatus(answer.value, call.path.endsWith('/info') ? 'info' : 'read'));
  }

  async function readPage<Item>(
    call: UpstreamCall,
    decodeItem: (value: unknown) => Item | undefined,
    options: CallOptions,
  ): Promise<Result<Page<Item>, ControllerFailure>> {
    const answer = await read(call, options);
    if (!answer.ok) return answer;
    const page = decodePage(answer.value.text, decodeItem);
    return page
      ? ok(page)
      : fail({
          kind: 'refused',
          cause: 'not-unifi',
          text: 'the controller answered with something that is not a list',
        });
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
    const known = listed.value.map(({ internalReference }) => internalReference).join(', ');
    return fail({
      kind: 'refused',
      cause: 'no-such-site',
      text: `the controller has no site "${site}"; it has: ${known}`,
    });
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
    for (let offset = 0; ; ) {
      const page = await readPage(sitesCall(apiKey, offset), decodeSite, options);
      // Listing sites creates nothing, so its outcome is never unknown.
      if (!page.ok) return fail({ ...page.problem, kind: safeKind(page.problem.kind) });
      const { items, received, totalCount } = page.value;
      sites.push(...items);
      offset += received;
      if (offset >= totalCount) return ok(sites);
      if (received === 0) return fail(ENDED_EARLY);
    }
  }

  async function readPages(
    filter: string | undefined,
    onPage: OnVoucherPage,
    options: CallOptions,
  ): Promise<ControllerFailure | undefined> {
    const uuid = await resolveSite(options.signal);
    if (!uuid.ok) return uuid.problem;
    for (let offset = 0; ; ) {
      const query = filter === undefined ? { offset } : { offset, filter };
      const page = await readPage(vouchersCall(apiKey, uuid.value, query), decodeVoucher, options);
      if (!page.ok) return page.problem;
      const { items, received, totalCount } = page.value;
      // A total below the number of vouchers already received is implausible: the list counts as incomplete.
      if (totalCount < offset) return ENDED_EARLY;
      await onPage(items);
      offset += received;
      if (offset >= totalCount) return undefined;
      if (received === 0) return ENDED_EARLY;
    }
  }
}

/** The controller answered the question for the voucher with success, although it had not found it to delete. */
function describeFound(text: string): ControllerFailure {
  return decodeVoucher(parseJson(text)) ? STILL_THERE : UNEXPECTED;
}

/** A read that broke off changed nothing and can be repeated. */
function safeKind(kind: ControllerFailure['kind']): ControllerFailure['kind'] {
  return kind === 'outcome-unknown' ? 'unreachable' : kind;
}

function sortStatus({ status, text }: UpstreamAnswer, what: 'write' | 'read' | 'info'): ControllerFailure {
  const said = decodeErrorText(text);
  const detail = said ? `: ${said}` : '';
  if (status === 401)
    return { kind: 'refused', cause: 'api-key', text: `the controller rejects the API key (401)${detail}` };
  if (status === 403)
    return { kind: 'refused', cause: 'role', text: `the API key's role is too low (403)${detail}` };
  if (status === 404 && what === 'info')
    return {
      kind: 'refused',
      cause: 'no-integration-api',
      text: 'the controller has no Integration API (404): it is too old or not UniFi OS; use the kind unifi-classic',
    };
  if (status === 429)
    return {
      kind: 'unreachable',
      cause: 'asks-for-pause',
      text: `the controller asks for a pause (429)${detail}`,
    };
  // The controller may have created or deleted the vouchers before it redirected or failed.
  const isWrite = what === 'write';
  if (status >= 300 && status < 400)
    return {
      kind: isWrite ? 'outcome-unknown' : 'refused',
      cause: 'not-unifi',
      text: `the controller redirects elsewhere (${status})`,
    };
  if (status >= 500)
    return {
      kind: isWrite ? 'outcome-unknown' : 'unreachable',
      cause: 'failed',
      text: `the controller failed (${status})${detail}`,
    };
  return { kind: 'refused', cause: 'refused', text: `the controller refused (${status})${detail}` };
}
