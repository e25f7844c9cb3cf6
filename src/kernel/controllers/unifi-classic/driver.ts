// The driver for the classic UniFi Network API, on UniFi OS and on port-8443 servers. The response to a creation
// contains only its time in seconds. So the driver lists the vouchers that were created in that second. The caller may
// take any listed voucher that matches the order and is not recorded yet.

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { makeSharedReads } from '../../../platform/concurrency/shared-reads.ts';
import { fail, ok, type Result } from '../../../platform/values/result.ts';
import { isSameOrder } from '../../vouchers/voucher-order.ts';
import type {
  Controller,
  ControllerFailure,
  ControllerSite,
  OnVoucherChunk,
  UpstreamOrder,
  UpstreamVoucher,
} from '../controller.ts';
import { UNIFI_BOUNDS } from '../unifi/limits.ts';
import type { CallOptions } from '../upstream/call-limiter.ts';
import {
  ListRefused,
  listTooLong,
  MAX_FOUND,
  MAX_SITES,
  nameSites,
  outcomeUnknown,
  refused,
  UNREADABLE,
  unreachable,
} from '../upstream/failures.ts';
import type { UpstreamCall } from '../upstream/upstream-http.ts';
import { within } from '../upstream/within.ts';
import { classifyResponse } from './classify-response.ts';
import {
  decodeCreateTime,
  decodeEnvelope,
  decodeGuestUse,
  decodeSites,
  decodeVersion,
  decodeVoucher,
} from './decode.ts';
import { makeClassicDeletion } from './deletion.ts';
import { makeClassicDisconnection } from './disconnection.ts';
import {
  createCall,
  deleteCall,
  disconnectCall,
  type Flavour,
  guestsCall,
  sitesCall,
  statusCall,
  vouchersCall,
} from './requests.ts';
import type { SharedSession } from './session.ts';

const LOOKS = 5;
const PAUSE_BETWEEN_LOOKS_MS = 250;
const READ_SECOND_MS = 10_000;
/**
 * While other calls wait, the vouchers of one second are listed at most once in this time, so that one list serves
 * many creations.
 */
const PAUSE_BETWEEN_LISTS_MS = 250;
/** 31 days. Only vouchers that were used since the last sync are needed, so older guests are not listed. */
const USES_WITHIN_HOURS = 744;
/** How many lists a creation may have to wait for: a list that is already being read, and the next one. */
const CALLS_TO_FINISH = 2;
const LATE = unreachable('too-slow', 'the controller did not list the new voucher in time');

interface Deps {
  session: SharedSession;
  /** The site's short name. */
  site: string;
}

export function makeUnifiClassicDriver({ session, site }: Deps): Controller {
  const { limiter } = session;
  const readSecond = makeSharedReads(listSecond, {
    pauseMs: () => (limiter.isBusy() ? PAUSE_BETWEEN_LISTS_MS : 0),
  });

  let lastTurn = Promise.resolve();

  return {
    bounds: UNIFI_BOUNDS,

    overload: (ordering, count) => limiter.overload({ ...ordering, count, callsToFinish: CALLS_TO_FINISH }),

    async createVouchers(order, count, { signal, ...ordering }) {
      const response = await session.call((flavour) => createCall(flavour, site, { order, count }), {
        signal,
        priority: 'create',
        creation: { ...ordering, count, callsToFinish: CALLS_TO_FINISH },
      });
      if (!response.ok) return response;
      const failure = classifyResponse(response.value, site, 'write');
      if (failure) return fail(failure);
      const envelope = decodeEnvelope(response.value.text);
      const createTimeS = envelope && decodeCreateTime(envelope);
      if (createTimeS === undefined) return ok({ vouchers: [] });

      const lookAgain = () => findInSecond(createTimeS, order, signal);
      for (let look = 1; ; look++) {
        const listed = await lookAgain();
        // The vouchers exist, but could not be listed. A `busy` failure would claim that nothing was sent.
        if (!listed.ok) {
          const failure = listed.problem.cause === 'busy' ? LATE : listed.problem;
          return fail({ ...failure, kind: 'outcome-unknown' });
        }
        if (listed.value.length >= count) return ok({ vouchers: listed.value, lookAgain });
        // New vouchers may be missing from the list for a moment. After the last look, the listed ones are returned.
        if (look === LOOKS && listed.value.length > 0) return ok({ vouchers: listed.value, lookAgain });
        if (look === LOOKS)
          return fail({
            ...outcomeUnknown('no-voucher', 'the controller does not list the voucher it made'),
            withoutVoucher: true,
          });
        await sleep(PAUSE_BETWEEN_LOOKS_MS);
      }
    },

    async findVouchersNamed(names, options) {
      const found: UpstreamVoucher[] = [];
      const named = (chunk: UpstreamVoucher[]) => chunk.filter(({ name }) => names.has(name));
      const failure = await readVouchers(undefined, async (chunk) => addFound(found, named(chunk)), options);
      return failure ? fail(failure) : ok(found);
    },

    forEachVoucherChunk: (onChunk, signal) => readVouchers(undefined, onChunk, { signal, priority: 'sync' }),

    async findUses(signal) {
      const uses = new Map<string, number>();
      const failure = await readGuests(
        USES_WITHIN_HOURS,
        async (guests) => {
          for (const use of guests.map(decodeGuestUse)) {
            if (!use) continue;
            const { controllerVoucherId: id, startedAtMs } = use;
            uses.set(id, Math.min(startedAtMs, uses.get(id) ?? startedAtMs));
          }
        },
        { signal, priority: 'sync' },
      );
      return failure ? fail(failure) : ok(uses);
    },

    ...makeClassicDeletion({ sendDeletion, readVouchers }),

    ...makeClassicDisconnection({ sendDisconnection, readGuests }),

    listSites,

    async check(signal) {
      const sites = await listSites(signal);
      if (!sites.ok) return sites.problem;
      if (sites.value.some(({ id }) => id === site)) return undefined;
      const known = nameSites(sites.value.map(({ id, name }) => `${id} (${name})`));
      return refused(
        'no-such-site',
        `the controller has no site "${site}"; it has: ${known || 'none for this account'}`,
      );
    },

    async readVersion(signal) {
      const response = await session.call(statusCall, { signal, priority: 'settle' });
      return response.ok ? decodeVersion(response.value.text) : undefined;
    },
  };

  async function listSites(signal: AbortSignal): Promise<Result<ControllerSite[], ControllerFailure>> {
    const response = await session.call(sitesCall, { signal, priority: 'settle' });
    if (!response.ok) return response;
    const failure = classifyResponse(response.value, site, 'read');
    const envelope = decodeEnvelope(response.value.text);
    if (failure) return fail(failure);
    if (envelope && envelope.data.length > MAX_SITES) return fail(listTooLong(MAX_SITES));
    return ok(envelope ? decodeSites(envelope) : []);
  }

  /** Passes a list to `onChunk` piece by piece. Undefined if the list was read to its end without an error. */
  async function readList(
    makeCall: (flavour: Flavour) => UpstreamCall,
    onChunk: (items: unknown[]) => Promise<void>,
    options: CallOptions,
  ): Promise<ControllerFailure | undefined> {
    const response = await session.list(makeCall, onChunk, options);
    if (!response.ok) return response.problem;
    // `text` is the list after all objects were taken out. Entries that remain in it are not objects.
    const isEmpty = decodeEnvelope(response.value.text)?.data.length === 0;
    return classifyResponse(response.value, site, 'read') ?? (isEmpty ? undefined : UNREADABLE);
  }

  async function findInSecond(
    createTimeS: number,
    order: UpstreamOrder,
    signal: AbortSignal,
  ): Promise<Result<UpstreamVoucher[], ControllerFailure>> {
    const listed = await within(signal, () => readSecond(createTimeS), fail(LATE));
    await inTurn();
    return listed.ok ? ok(listed.value.filter((voucher) => isSameOrder(voucher, order))) : listed;
  }

  /**
   * One list completes dozens of requests. The requests continue one per turn of the event loop, so that new calls
   * to the controller are sent in between.
   */
  function inTurn(): Promise<void> {
    lastTurn = lastTurn.then(() => nextTurn());
    return lastTurn;
  }

  /** Called only through `readSecond`, so that all creations of one second share one list. */
  async function listSecond(createTimeS: number): Promise<Result<UpstreamVoucher[], ControllerFailure>> {
    const found: UpstreamVoucher[] = [];
    const failure = await readVouchers(createTimeS, async (chunk) => addFound(found, chunk), {
      signal: AbortSignal.timeout(READ_SECOND_MS),
      priority: 'finish',
      completes: true,
    });
    return failure ? fail(failure) : ok(found);
  }

  /** Reads the vouchers that were created in one second, or all vouchers. */
  function readVouchers(
    createTimeS: number | undefined,
    onChunk: OnVoucherChunk,
    options: CallOptions,
  ): Promise<ControllerFailure | undefined> {
    return readList(
      (flavour) => vouchersCall(flavour, site, createTimeS),
      (items) => onChunk(decodeVouchers(items)),
      options,
    );
  }

  function readGuests(
    hours: number,
    onChunk: (guests: unknown[]) => Promise<void>,
    options: CallOptions,
  ): Promise<ControllerFailure | undefined> {
    return readList((flavour) => guestsCall(flavour, site, hours), onChunk, options);
  }

  async function sendDisconnection(
    mac: string,
    options: CallOptions,
  ): Promise<ControllerFailure | 'unknown' | undefined> {
    const response = await session.call((flavour) => disconnectCall(flavour, site, mac), options);
    if (!response.ok) return response.problem;
    if (decodeEnvelope(response.value.text)?.message === 'api.err.UnknownStation') return 'unknown';
    return classifyResponse(response.value, site, 'write');
  }

  async function sendDeletion(id: string, options: CallOptions): Promise<ControllerFailure | undefined> {
    const response = await session.call((flavour) => deleteCall(flavour, site, id), options);
    return response.ok ? classifyResponse(response.value, site, 'write') : response.problem;
  }
}

function decodeVouchers(items: unknown[]): UpstreamVoucher[] {
  const vouchers = items.map(decodeVoucher).filter((voucher) => voucher !== undefined);
  if (vouchers.length < items.length) throw new ListRefused(UNREADABLE);
  return vouchers;
}

function addFound(found: UpstreamVoucher[], vouchers: UpstreamVoucher[]): void {
  if (found.length + vouchers.length > MAX_FOUND) throw new ListRefused(listTooLong(MAX_FOUND));
  found.push(...vouchers);
}
