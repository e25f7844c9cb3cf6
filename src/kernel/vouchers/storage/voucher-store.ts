// The store for vouchers. Each method that writes is one transaction; only `record` and `recover` may split the intents
// into several transactions (see claimEach).

import { makeCachedRead } from '../../../platform/database/cached-read.ts';
import type { Database, Handle } from '../../../platform/database/database.ts';
import { countRows } from '../../../platform/database/installation-queries.ts';
import type { Seal } from '../../../platform/secrets/seal.ts';
import { toWholeSeconds } from '../../../platform/time/clock.ts';
import { fail, ok } from '../../../platform/values/result.ts';
import { insertAuditEntry } from '../../audit/audit-queries.ts';
import { holdOpenBatch } from '../../batches/batch-queries.ts';
import { selectProgress } from '../../batches/filling-queries.ts';
import type { UpstreamVoucher } from '../../controllers/controller.ts';
import type { BatchId, SiteId, VoucherId } from '../../ids.ts';
import {
  insertHeldMessages,
  releaseMessages,
  type SealedMessage,
  sealMessages,
} from '../../messages/held-queries.ts';
import type { HeldMessage } from '../../messages/message.ts';
import { findTooManyOf } from '../../messages/order-count-queries.ts';
import { insertOutboxEvent } from '../../messages/outbox-queries.ts';
import { raiseListVersion, selectListVersion } from '../../sites/site-queries.ts';
import { insertStockUnlessTaken, selectInStock } from '../../stock/stock-voucher-store.ts';
import { RESPONSES_KEPT_MS, repeatResponse } from '../idempotency.ts';
import type { Voucher } from '../voucher.ts';
import type { CreatedVoucher, Intent, Recording, SiteListChange, VoucherStore } from '../voucher-records.ts';
import { toEntry, toEvent, toNewVoucher, toResponse } from './created-records.ts';
import { makeCreationAtOnce } from './creation-at-once.ts';
import { readEarlierRequest, refuseTicket } from './earlier-request.ts';
import {
  deleteResponsesBefore,
  deleteTicketOf,
  insertTicket,
  rememberResponse,
  selectResponse,
} from './idempotency-queries.ts';
import { fulfilPurpose, isRebooking, PurposeRefused, takePlace } from './intent-purpose.ts';
import {
  deleteIntent,
  deleteUnchangedIntent,
  holdClaims,
  holdIntents,
  makeInsertIntent,
  resetAgeOfEqualIntents,
  selectIntents,
  selectNowMs,
} from './intent-queries.ts';
import type { PurposeSteps } from './purpose-steps.ts';
import { holdReference } from './rebooking-queries.ts';
import { isRecordedWithoutId, selectKnownVouchers } from './usage-queries.ts';
import { insertVoucherUnlessTaken, selectNewestVouchers, toListed } from './voucher-queries.ts';

/** `purposes`: what features add to the intents of their purposes. */
export function makeVoucherStore(
  database: Database,
  seal: Seal,
  purposes: readonly PurposeSteps[] = [],
): VoucherStore {
  const insertIntent = makeInsertIntent(database.now(), purposes);
  const atOnce = makeCreationAtOnce(database, RESPONSES_KEPT_MS);
  const versions = makeCachedRead(database, (siteId: SiteId) => selectListVersion(database.read, siteId));
  database.onListChange(({ siteId, version }) => versions.replace(siteId, version));

  function claimTogether(
    intents: Intent[],
    candidates: UpstreamVoucher[],
    { makeEqualWait = false } = {},
  ): Promise<Recording> {
    return database.write(async (transaction) => {
      const [intent] = intents;
      if (atOnce && intent?.purpose?.kind === 'stock') await holdClaims(transaction);
      // Lock the reference before the intents: the transaction that holds it changes intents of other requests.
      if (atOnce && intent && isRebooking(intent)) await holdReference(transaction, intent);
      if (atOnce && intent) await holdIntents(transaction, intents);
      const { recording, recorded } = await claim(transaction, intents, candidates, {
        now: database.now,
        purposes,
      });
      if (!intent || recording.created.length === 0) return recording;
      if (makeEqualWait) await resetAgeOfEqualIntents(transaction, intent);
      if (recorded.length === 0) return recording;
      // Locks the site's row until the commit, and other creations at the site wait for that lock. So this must be the
      // last step of the transaction.
      await raiseListVersion(transaction, intent.siteId, recorded.length === 1 ? recorded[0] : undefined);
      return recording;
    }, 'finishes');
  }

  /**
   * How many vouchers may still be ordered for the batch. Other orders for the batch wait until this transaction ends,
   * so that a batch never gets more vouchers than wanted, even if two processes fill it.
   */
  async function mayOrder(transaction: Handle, batchId: BatchId | undefined): Promise<number> {
    if (batchId === undefined) return Number.POSITIVE_INFINITY;
    if (!(await holdOpenBatch(transaction, batchId))) return 0;
    return (await selectProgress(transaction, batchId, database.now()))?.missing ?? 0;
  }

  return {
    async findResponse(ticket, nowMs) {
      const found = await selectResponse(database.read, ticket, nowMs - RESPONSES_KEPT_MS);
      if (!found) return undefined;
      const earlier = await readEarlierRequest(database.read, found, {
        nowS: toWholeSeconds(nowMs),
        now: database.now(),
      });
      await database.untilDurable?.();
      return repeatResponse(earlier, ticket);
    },

    async begin(intent, { count = 1, ticket } = {}) {
      database.needIntact?.();
      const messages = intent.messages?.length ? intent.messages : undefined;
      if (atOnce && count === 1 && !messages && !intent.purpose && !intent.batchId) {
        const opened = await atOnce.begin(intent, ticket);
        return opened ? ok([opened]) : refuseTicket(database.read, ticket, database.now());
      }
      const beginning = database.write(async (transaction) => {
        const opened: Intent[] = [];
        const sealed: SealedMessage[][] = [];
        // Before `takePlace` locks rows: see `Seal`.
        for (let n = 0; messages && n < count; n++)
          sealed.push(await sealMessages(transaction, seal, messagesOf(messages, n)));
        const wanted = Math.min(count, await mayOrder(transaction, intent.batchId));
        const tooMany =
          messages && (await findTooManyOf(messages, wanted, { transaction, holdName: database.holdName }));
        if (tooMany) return fail(tooMany);
        for (let n = 0; n < wanted; n++) {
          await takePlace(transaction, intent, { database, purposes });
          const made = await insertIntent(transaction, intent);
          await insertHeldMessages(transaction, made.id, sealed[n] ?? []);
          opened.push(messages ? { ...made, holdsMessages: true } : made);
        }
        const [first] = opened;
        if (!ticket || !first) return ok(opened);
        const { id, createdAtMs } = first;
        const stamp = { intentId: id, createdAtMs, notBeforeMs: createdAtMs - RESPONSES_KEPT_MS };
        if (await insertTicket(transaction, ticket, stamp)) return ok(opened);
        for (const { id } of opened) await deleteIntent(transaction, id);
        return refuseTicket(transaction, ticket, database.now());
      });
      return beginning.catch((error) => {
        if (error instanceof PurposeRefused) return fail(error.problem);
        throw error;
      });
    },

    async record(intents, candidates) {
      const single = atOnce && onlyPair(intents, candidates);
      const recorded = single && (await atOnce.record(single.intent, single.upstream, single.code));
      if (recorded) return { created: [recorded], left: [] };
      return claimEach(intents, (some) => claimTogether(some, candidates));
    },

    recover: (intents, candidates) =>
      claimEach(intents, (some) => claimTogether(some, candidates, { makeEqualWait: true })),

    abandon(intents) {
      const [first, ...more] = intents;
      if (atOnce && first && more.length === 0 && !first.purpose) return atOnce.abandon(first);
      return database.write(async (transaction) => {
        let found = false;
        for (const intent of intents) {
          if (!(await deleteUnchangedIntent(transaction, intent))) continue;
          await deleteTicketOf(transaction, intent.id);
          for (const steps of purposes) await steps.giveBack?.(transaction, intent);
          found = true;
        }
        return found;
      }, 'finishes');
    },

    listIntents: (siteId) => selectIntents(database.read, database.now(), { siteId, purposes }),
    readNowMs: () => selectNowMs(database.read, database.now()),
    countIntents: () => countRows(database.read, 'intents'),
    listVersion: versions.read,
    onListChange: database.onListChange,
    listNewest: (siteId, limit) => selectNewestVouchers(database.read, siteId, limit),
    addNotedChanges: async () => atOnce?.addAllNoted(),
    forgetOldResponses: (nowMs) =>
      database.write((transaction) => deleteResponsesBefore(transaction, nowMs - RESPONSES_KEPT_MS)),
  };
}

/**
 * The messages of the intent with this index. Each intent gets its own event ids, so that recipients do not take the
 * messages for duplicates.
 */
function messagesOf(messages: readonly HeldMessage[], index: number): HeldMessage[] {
  if (index === 0) return [...messages];
  return messages.map((message) => {
    const { recipientId, lanes, eventId } = message;
    return {
      ...message,
      eventId: `${eventId}-${index + 1}`,
      recipientId: lanes === undefined ? recipientId : ((recipientId - 1 + index) % lanes) + 1,
    };
  });
}

/**
 * Undefined unless there is exactly one intent, without batch, messages and purpose, and exactly one voucher, with a
 * code.
 */
function onlyPair([intent, ...intents]: Intent[], [upstream, ...candidates]: UpstreamVoucher[]) {
  if (!intent || intent.batchId || intent.holdsMessages || intent.purpose) return undefined;
  if (!upstream || intents.length + candidates.length > 0) return undefined;
  const { code } = upstream;
  return code === null ? undefined : { intent, upstream, code };
}

/**
 * The intents are equal, so each intent claims the next free candidate. Vouchers that are not part of an open batch
 * share one notification.
 */
async function claim(
  transaction: Handle,
  intents: Intent[],
  candidates: UpstreamVoucher[],
  parts: Pick<Database, 'now'> & { purposes: readonly PurposeSteps[] },
): Promise<{ recording: Recording; recorded: Voucher[] }> {
  const [first] = intents;
  const recording: Recording = { created: [], left: [] };
  const recorded: Voucher[] = [];
  if (!first) return { recording, recorded };
  const free = (await withoutTaken(transaction, first, candidates)).values();
  if (isForStock(first)) {
    for (const intent of intents) {
      const created = await claimForStock(transaction, intent, free);
      if (created) recording.created.push(created);
      else recording.left.push(intent);
    }
    return { recording, recorded };
  }
  let alone = 0;
  for (const intent of intents) {
    const claimed = await claimNext(transaction, intent, free, parts.purposes);
    if (claimed === undefined) recording.left.push(intent);
    else {
      const { created, isOfOpenBatch } = await finishIntent(transaction, intent, claimed, parts);
      recording.created.push(created);
      recorded.push(claimed.voucher);
      if (!isOfOpenBatch) alone++;
    }
  }
  if (alone > 0) await insertOutboxEvent(transaction, toEvent(first, alone));
  return { recording, recorded };
}

interface Claimed {
  id: VoucherId;
  voucher: Voucher;
}

async function claimNext(
  transaction: Handle,
  intent: Intent,
  free: Iterator<UpstreamVoucher>,
  purposes: readonly PurposeSteps[],
): Promise<Claimed | undefined> {
  const { purpose } = intent;
  const screenId =
    purpose && purposes.map(({ screenOf }) => screenOf?.(purpose)).find((value) => value !== undefined);
  for (let next = free.next(); !next.done; next = free.next()) {
    const { code } = next.value;
    if (code === null) continue;
    const voucher = toNewVoucher(intent, next.value, code, screenId);
    const id = await insertVoucherUnlessTaken(transaction, voucher);
    if (id !== undefined) return { id, voucher: toListed(voucher) };
  }
  return undefined;
}

/** A voucher that is discarded is in the stock until the controller has deleted it. */
function isForStock({ purpose }: Intent): boolean {
  return purpose?.kind === 'stock' || purpose?.kind === 'discard';
}

/** Nobody is told of the voucher, and no list shows it. Undefined if there is no candidate left. */
async function claimForStock(
  transaction: Handle,
  intent: Intent,
  free: Iterator<UpstreamVoucher>,
): Promise<CreatedVoucher | undefined> {
  for (let next = free.next(); !next.done; next = free.next()) {
    const { code } = next.value;
    if (code === null) continue;
    const voucher = { ...next.value, code };
    if (await isRecordedWithoutId(transaction, intent.siteId, voucher)) continue;
    if (!(await insertStockUnlessTaken(transaction, intent, voucher))) continue;
    if (!(await deleteIntent(transaction, intent.id))) throw new IntentGone();
    return toResponse(intent, code);
  }
  return undefined;
}

/**
 * Of hundreds of candidates, most may already be taken, so one query is cheaper than trying to insert each one. A
 * voucher is recorded or in the stock, never both: each table only refuses its own duplicates (see `holdClaims`).
 */
async function withoutTaken(
  transaction: Handle,
  intent: Intent,
  candidates: UpstreamVoucher[],
): Promise<UpstreamVoucher[]> {
  const { siteId } = intent;
  const ids = candidates.map(({ controllerVoucherId }) => controllerVoucherId).filter((id) => id !== null);
  if (ids.length === 0) return candidates;
  const inStock = await selectInStock(transaction, siteId, ids);
  const known =
    candidates.length > 1 || isForStock(intent) ? await selectKnownVouchers(transaction, siteId, ids) : [];
  const taken = new Set<string | null>([
    ...inStock,
    ...known.map(({ controllerVoucherId }) => controllerVoucherId),
  ]);
  return candidates.filter(({ controllerVoucherId }) => !taken.has(controllerVoucherId));
}

/** Another process has settled the intent. Throwing rolls the claim back, so that the voucher stays free. */
class IntentGone extends Error {}

/**
 * Claims vouchers for all intents in one transaction. If one of the intents is gone, each intent gets its own
 * transaction, so that the other intents are recorded.
 */
async function claimEach(
  intents: Intent[],
  claimAll: (intents: Intent[]) => Promise<Recording>,
): Promise<Recording> {
  try {
    return await claimAll(intents);
  } catch (error) {
    if (!(error instanceof IntentGone)) throw error;
    const recording: Recording = { created: [], left: [] };
    if (intents.length === 1) return recording;
    for (const intent of intents) {
      const { created, left } = await claimEach([intent], claimAll);
      recording.created.push(...created);
      recording.left.push(...left);
    }
    return recording;
  }
}

async function finishIntent(
  transaction: Handle,
  intent: Intent,
  { id, voucher }: Claimed,
  parts: Pick<Database, 'now'> & { purposes: readonly PurposeSteps[] },
): Promise<{ created: CreatedVoucher; isOfOpenBatch: boolean }> {
  if (intent.holdsMessages) await releaseMessages(transaction, intent.id, id);
  const ended = await deleteIntent(transaction, intent.id);
  if (!ended) throw new IntentGone();

  const response = toResponse(intent, voucher.code);
  // An open batch gets one notification and one audit entry when it ends. Vouchers that are
  // recorded after the batch has ended get their own.
  const isOfOpenBatch = intent.batchId !== undefined && (await holdOpenBatch(transaction, intent.batchId));
  if (!isOfOpenBatch) await insertAuditEntry(transaction, toEntry(intent, String(id)));
  await fulfilPurpose(transaction, { ...intent, ...ended }, { voucherId: id, ...parts });
  await rememberResponse(transaction, intent.id, { answer: JSON.stringify(response), voucherId: id });
  return { created: { ...response, id }, isOfOpenBatch };
}

declare module '../../../platform/database/database.ts' {
  interface ListChange extends SiteListChange {}
}
