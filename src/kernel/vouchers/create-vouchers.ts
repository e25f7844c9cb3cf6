// Creates vouchers: first on the site's controller, then in the database. One call to the controller creates one
// voucher or several equal ones. Before the call, one intent per voucher is stored. If a crash, a time-out or a lost
// response prevents a result, the intents stay open and settle-intents.ts resolves them later.

import type { Log } from '../../platform/log/log.ts';
import { calendarDate } from '../../platform/time/calendar-date.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { REQUEST_DEADLINE_MS, type StartDeadline } from '../../platform/time/deadline.ts';
import { DatabaseUnavailable } from '../../platform/values/database-unavailable.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import { toActorText } from '../audit/actor.ts';
import {
  type Controller,
  type ControllerFailure,
  type Made,
  publishedCause,
  type UpstreamVoucher,
} from '../controllers/controller.ts';
import type { IntentId, SiteId } from '../ids.ts';
import type { FindOutdated } from '../instances/known-since.ts';
import { includesSite, type KeySites } from '../keys/api-key.ts';
import {
  type CreationProblem,
  causeOf,
  findBusy,
  type IdempotencyProblem,
  type OrderProblem,
} from '../problem.ts';
import type { Site, SiteStore } from '../sites/site.ts';
import type { NoteFailedOrder } from './failed-orders.ts';
import { findMatches } from './find-matches.ts';
import { makeFindRefusal } from './find-refusal.ts';
import { type HandOverWay, orderMessages } from './hand-over-way.ts';
import { type NextSearch, SOON_S } from './next-search.ts';
import { toUpstreamOrder, type VoucherOrder } from './voucher-order.ts';
import type {
  CreatedVoucher,
  IdempotencyTicket,
  Intent,
  NewIntent,
  OrderedBy,
  TakenKey,
  VoucherStore,
} from './voucher-records.ts';

const MAX_LOOKS = 10;
/** The time limit for a creation. The rest of the request deadline is for the service's own work. */
const PATIENCE_MS = REQUEST_DEADLINE_MS - 1_500;

export type Creation = Result<CreatedVoucher & { replayed: boolean; freed: boolean }, CreationProblem>;

export interface OrderedByKey extends OrderedBy {
  keySites: KeySites;
}

export type CreateVoucher = (
  order: VoucherOrder,
  by: OrderedByKey,
  ticket?: IdempotencyTicket,
) => Promise<Creation>;

/** The vouchers created, and the problem if some are missing. */
export interface Created {
  created: CreatedVoucher[];
  problem?: CreationProblem;
  /** True if the missing vouchers may exist on the controller. `settle-intents.ts` finds out later. */
  isOpen?: true;
  /** Set together with `isOpen`: all intents of the order. */
  intentIds?: IntentId[];
  /** True if the database is the cause of the problem, or another process, but not the controller. */
  isOwnFailure?: true;
}

/** Creates `count` vouchers, at most `MAX_VOUCHERS_PER_CALL`. */
export type CreateVouchers = (order: VoucherOrder, count: number, by: OrderedBy) => Promise<Created>;

interface Deps {
  sites: Pick<SiteStore, 'findActive'>;
  vouchers: VoucherStore;
  controllerOf: (site: Site) => Controller;
  /** Intents that a request of this process is working on; settling leaves them alone. */
  activeIntents: Set<IntentId>;
  nextSearch: Pick<NextSearch, 'leftS'>;
  clock: Clock;
  startDeadline: StartDeadline;
  timeZone: string;
  log: Log;
  /** Counts an order that did not get its vouchers. */
  observeFailure: (siteId: SiteId, reason: string) => void;
  noteFailedOrder: NoteFailedOrder;
  findOutdated: FindOutdated;
  ways: readonly HandOverWay[];
}

/**
 * For the API: creates one voucher. A repeated request with the same Idempotency-Key gets the same voucher again, and a
 * new one if that voucher has ended.
 */
export function makeCreateVoucher(deps: Deps): CreateVoucher {
  const create = makeCreate(deps);

  return async function createVoucher(order, { keySites, ...by }, ticket) {
    // Check the site before looking up the Idempotency-Key: the API key may have lost the site since the first request.
    const otherSite = refuseOtherSite(keySites, order);
    const earlier =
      ticket && !otherSite ? await deps.vouchers.findResponse(ticket, deps.clock.nowMs()) : undefined;
    const repeated = earlier?.ok ? earlier.value : undefined;
    if (repeated && 'response' in repeated) return ok({ ...repeated.response, replayed: true, freed: false });
    const freed = repeated?.freed;
    const refusal = otherSite ?? (earlier && !earlier.ok ? refuseTicket(earlier.problem, deps) : undefined);
    const { created, problem } = await create(order, by, { count: 1, ticket: freed ?? ticket, refusal });
    const [voucher] = created;
    if (!voucher) return fail(problem ?? { kind: 'no-valid-voucher' });
    return ok({ ...voucher, replayed: false, freed: freed !== undefined });
  };
}

function refuseOtherSite(keySites: KeySites, { siteId }: VoucherOrder): CreationProblem | undefined {
  return includesSite(keySites, siteId) ? undefined : { kind: 'site-not-found' };
}

/**
 * Says when to repeat the request: soon if the first request may still be running, in this process or in another, else
 * after the next search.
 */
function refuseTicket(
  taken: TakenKey | OrderProblem,
  { nextSearch }: Pick<Deps, 'nextSearch'>,
): IdempotencyProblem | OrderProblem {
  if (taken.kind !== 'idempotency-in-progress') return taken;
  const { kind, ageMs = 0 } = taken;
  const mayRun = ageMs >= 0 && ageMs < REQUEST_DEADLINE_MS;
  return { kind, retryAfterS: mayRun ? SOON_S : nextSearch.leftS() };
}

/** For batches: creates several equal vouchers. */
export function makeCreateVouchers(deps: Deps): CreateVouchers {
  const create = makeCreate(deps);
  return (order, count, by) => create(order, by, { count });
}

type Look = () => Promise<Result<UpstreamVoucher[], ControllerFailure>>;

interface CreateOptions {
  count: number;
  ticket?: IdempotencyTicket | undefined;
  /** Set if the order must be refused without an attempt. */
  refusal?: CreationProblem | undefined;
}

/** Writes one line to the log for each order: what was ordered, by whom, and the outcome. */
function makeCreate(deps: Deps) {
  const { clock, log, observeFailure, noteFailedOrder } = deps;
  const attempt = makeAttempt(deps);

  return async function create(order: VoucherOrder, by: OrderedBy, options: CreateOptions): Promise<Created> {
    const { siteId, name } = order;
    const { requestId, batchId, actor, ip, purpose } = by;
    const startedAtMs = clock.nowMs();
    const line = { requestId, siteId, name, by: toActorText(actor), batchId, count: options.count, purpose };
    const progress: Progress = { isSent: false };
    const told = (facts: object) => {
      const { controllerMs } = progress;
      return { ...line, durationMs: clock.nowMs() - startedAtMs, controllerMs, ...facts };
    };
    // Nobody waits for a voucher in the stock, and the worker that orders it counts its failures.
    const isAwaited = purpose?.kind !== 'stock';
    /** Counts only failures of known sites: otherwise any caller could add time series to the metrics. */
    const count = (reason: string) => progress.site && isAwaited && observeFailure(siteId, reason);
    try {
      const outcome = options.refusal
        ? noneCreated(options.refusal)
        : aboutController(await attempt(order, by, options, progress), progress);
      const { created, problem, isOpen, isOwnFailure } = outcome;
      if (!problem) log.info(told({}), 'voucher created');
      else {
        if (!isIdempotencyProblem(problem)) count(reasonOf(problem));
        const facts = { created: created.length, problem, err: progress.databaseError };
        log.warn(told(facts), isOpen ? OUTCOME_UNKNOWN : 'no voucher created');
        if (progress.site && isAwaited && !isOwnFailure && FAILURES_OF_CONTROLLER.includes(problem.kind))
          await noteFailedOrder({
            action: 'voucher.not-created',
            site: progress.site,
            cause: causeOf(problem),
            count: options.count - created.length,
            actor,
            ...(ip !== undefined && { ip }),
          });
      }
      return outcome;
    } catch (error) {
      count('error');
      log.error(told({ err: error }), progress.isSent ? OUTCOME_UNKNOWN : 'no voucher created');
      throw error;
    }
  };
}

/** How far an order got. */
interface Progress {
  /** The site, if it is known and active. */
  site?: Site;
  /** Whether the order may have been sent. If true, vouchers may exist on the controller. */
  isSent: boolean;
  /** How long the call that orders the vouchers took. Absent if the call was not made. */
  controllerMs?: number;
  /** Why the vouchers could not be recorded. */
  databaseError?: DatabaseUnavailable;
}

function isIdempotencyProblem({ kind }: CreationProblem): boolean {
  return kind.startsWith('idempotency-');
}

/** All other problems are those of the request. */
const FAILURES_OF_CONTROLLER: CreationProblem['kind'][] = [
  'creation-failed',
  'no-valid-voucher',
  'controller-busy',
];

const NOT_RECORDED =
  'the database became unavailable; if the controller has created vouchers, they are recorded later';
const OUTCOME_UNKNOWN = 'a voucher may have been created, the outcome is unknown';

function reasonOf(problem: CreationProblem): string {
  return 'cause' in problem && problem.cause ? publishedCause(problem.cause) : problem.kind;
}

function makeAttempt(deps: Deps) {
  const { sites, vouchers, ways, controllerOf, activeIntents, clock } = deps;
  const { startDeadline, timeZone } = deps;
  const findRefusal = makeFindRefusal(deps);

  return async function attempt(
    ordered: VoucherOrder,
    by: OrderedBy,
    { count, ticket }: CreateOptions,
    progress: Progress,
  ): Promise<Created> {
    const nowMs = clock.nowMs();
    using deadline = startDeadline(PATIENCE_MS);
    const { signal, leftMs } = deadline;
    const site = await sites.findActive(ordered.siteId);
    if (!site) return noneCreated({ kind: 'site-not-found' });
    progress.site = site;
    const accepted = await findRefusal(ordered, site, by.purpose);
    if (!accepted.ok) return noneCreated(accepted.problem);
    const { endsAtS, labels } = ordered;
    const order = accepted.value;

    const controller = controllerOf(site);
    const caller = toActorText(by.actor);
    const overload = controller.overload({ caller, leftMs }, count);
    if (overload) return notSent(overload);

    const storedName = `${calendarDate(nowMs, timeZone)}_${order.name}`;
    const intent: NewIntent = {
      siteId: site.id,
      siteName: site.name,
      order: toUpstreamOrder(order, storedName),
      ...(endsAtS !== undefined && { endsAtS }),
      ...(labels && { labels }),
      ...by,
    };
    const opened = await begin(intent, ordered, { count, ticket });
    if (!opened.ok) return noneCreated(opened.problem);
    const intents = opened.value;
    // If this process was suspended here, another process may have settled these intents already. The order must not
    // be sent any more. The signal alone does not show that the process was suspended: the timer of the
    // signal may not have fired yet.
    if (signal.aborted || clock.nowMs() - nowMs > PATIENCE_MS) {
      await vouchers.abandon(intents);
      return ownFailure('the database took too long');
    }

    for (const { id } of intents) activeIntents.add(id);
    progress.isSent = true;
    try {
      return await fulfil(intents, controller, { caller, leftMs, signal }, progress);
    } catch (error) {
      // If the database is unavailable, the intents stay open, and `settle-intents.ts` resolves them later.
      if (!(error instanceof DatabaseUnavailable)) throw error;
      progress.databaseError = error;
      return open(ownFailure(NOT_RECORDED), intents);
    } finally {
      for (const { id } of intents) activeIntents.delete(id);
    }
  };

  async function begin(
    intent: NewIntent,
    order: VoucherOrder,
    { count, ticket }: CreateOptions,
  ): Promise<Result<Intent[], CreationProblem>> {
    const { actor, siteId } = intent;
    const messages = await orderMessages(ways, order, { actor, siteId, count });
    if (!messages.ok) return messages;
    using ordered = messages.value;
    const opened = await vouchers.begin({ ...intent, messages: ordered.messages }, { count, ticket });
    return opened.ok ? opened : fail(refuseTicket(opened.problem, deps));
  }

  async function fulfil(
    intents: Intent[],
    controller: Controller,
    options: Parameters<Controller['createVouchers']>[2],
    progress: Progress,
  ): Promise<Created> {
    const [intent] = intents;
    if (!intent) return { created: [] };
    const calledAtMs = clock.nowMs();
    const made = await controller.createVouchers(intent.order, intents.length, options);
    progress.controllerMs = clock.nowMs() - calledAtMs;
    if (!made.ok && made.problem.kind !== 'outcome-unknown') {
      await vouchers.abandon(intents);
      return notSent(made.problem);
    }
    // From here on the vouchers may exist, so the order must not be sent a second time.
    const look = () => findMatches(intent, controller, options.signal);
    const claiming = made.ok ? claimMade(intents, made.value, look) : claimLost(intents, made.problem, look);
    return open(await claiming, intents);
  }

  async function claimMade(intents: Intent[], made: Made, look: Look): Promise<Created> {
    if (!made.vouchers.some(({ code }) => code !== null)) return noneCreated({ kind: 'no-valid-voucher' });
    const created: CreatedVoucher[] = [];
    let [offered, open] = [made.vouchers, intents];
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const recording = await vouchers.record(open, offered);
      created.push(...recording.created);
      open = recording.left;
      if (created.length === intents.length) return { created };
      if (open.length === 0)
        return { ...ownFailure('another process has settled this request in the meantime'), created };
      // Other requests with an identical order have already claimed some of these vouchers. Read the controller's list
      // again: it should also contain the vouchers that those requests ordered. They can be claimed instead, because
      // equal vouchers are interchangeable.
      const again = await (made.lookAgain ?? look)();
      if (!again.ok) return { ...failed(again.problem), created };
      offered = again.value;
    }
    const text = 'the controller lists only vouchers that are recorded already';
    return { ...failed({ kind: 'outcome-unknown', text }), created };
  }

  /** The response was lost, but the vouchers may exist: looks for them in the controller's list before giving up. */
  async function claimLost(intents: Intent[], failure: ControllerFailure, look: Look): Promise<Created> {
    const created: CreatedVoucher[] = [];
    let open = intents;
    for (let looks = 0; looks < MAX_LOOKS && open.length > 0; looks++) {
      const found = await look();
      if (!found.ok || found.value.length === 0) break;
      const recording = await vouchers.recover(open, found.value);
      created.push(...recording.created);
      open = recording.left;
    }
    if (created.length === intents.length) return { created };
    return {
      ...(failure.withoutVoucher ? noneCreated({ kind: 'no-valid-voucher' }) : failed(failure)),
      created,
    };
  }
}

/**
 * Marks the outcome as open if vouchers are missing: the order was sent, so they may still appear on the controller.
 */
function open(outcome: Created, intents: Intent[]): Created {
  const { problem } = outcome;
  if (!problem) return outcome;
  const asked = { ...outcome, isOpen: true as const, intentIds: intents.map(({ id }) => id) };
  if (problem.kind !== 'creation-failed') return asked;
  return { ...asked, problem: { ...problem, failure: 'outcome-unknown' } };
}

function noneCreated(problem: CreationProblem): Created {
  return { created: [], problem };
}

function ownFailure(text: string): Created {
  return { ...failed({ kind: 'unreachable', text }), isOwnFailure: true };
}

function failed({ kind: failure, text, cause }: ControllerFailure): Created {
  return noneCreated({ kind: 'creation-failed', failure, text, ...(cause && { cause }) });
}

function aboutController(outcome: Created, { site }: Progress): Created {
  const { problem } = outcome;
  const controllerUrl = site?.connection?.url;
  if (problem?.kind !== 'creation-failed' || controllerUrl === undefined) return outcome;
  return { ...outcome, problem: { ...problem, controllerUrl } };
}

/** The outcome of an order that was not carried out. No voucher exists, so the caller can safely order again. */
function notSent(failure: ControllerFailure): Created {
  const busy = findBusy(failure);
  return busy ? noneCreated({ kind: 'controller-busy', ...busy }) : failed(failure);
}
