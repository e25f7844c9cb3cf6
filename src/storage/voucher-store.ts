// The domain's voucher store on a database: each method is one transaction of queries.

import { randomUUID } from 'node:crypto';
import { toWholeSeconds } from '../domain/clock.ts';
import type { UpstreamVoucher } from '../domain/controller.ts';
import type { SiteId } from '../domain/ids.ts';
import { fail, ok } from '../domain/result.ts';
import type {
  CreatedVoucher,
  IdempotencyTicket,
  Intent,
  Recording,
  VoucherStore,
} from '../domain/vouchers/voucher-store.ts';
import { insertAuditEntry, siteInAudit } from './audit-queries.ts';
import { holdOpenBatch } from './batch-queries.ts';
import { makeCachedRead } from './cached-read.ts';
import type { Database, Handle } from './database.ts';
import {
  deleteAnswersBefore,
  deleteTicketOf,
  insertTicket,
  type RememberedAnswer,
  rememberAnswer,
  selectAnswer,
} from './idempotency-queries.ts';
import { countRows } from './installation-queries.ts';
import {
  deleteIntent,
  deleteIntentOfThatTime,
  insertIntent,
  makeEqualIntentsWait,
  selectIntents,
} from './intent-queries.ts';
import { insertOutboxEvent } from './outbox-queries.ts';
import { raiseListVersion, selectListVersion } from './site-queries.ts';
import { selectKnownVouchers } from './usage-queries.ts';
import { insertVoucherUnlessTaken, selectNewestVouchers } from './voucher-queries.ts';

const ANSWERS_KEPT_MS = 24 * 60 * 60 * 1000;

const IN_PROGRESS = { kind: 'idempotency-in-progress' } as const;

export function makeVoucherStore(database: Database): VoucherStore {
  return {
    async findAnswer(ticket, nowMs) {
      const found = await selectAnswer(database.read, ticket, nowMs - ANSWERS_KEPT_MS);
      if (!found) return undefined;
      const refusal = refusalOf(found, ticket);
      if (refusal) return fail(refusal);
      return found.answer === null ? fail(IN_PROGRESS) : ok<CreatedVoucher>(JSON.parse(found.answer));
    },

    begin: (intent, ticket) =>
      database.write(async (transaction) => {
        const opened = await insertIntent(transaction, intent, database.now());
        const { id, createdAtMs } = opened;
        const stamp = { intentId: id, createdAtMs, notBeforeMs: createdAtMs - ANSWERS_KEPT_MS };
        if (ticket && !(await insertTicket(transaction, ticket, stamp))) {
          await deleteIntent(transaction, id);
          const taken = await selectAnswer(transaction, ticket, stamp.notBeforeMs);
          return fail((taken && refusalOf(taken, ticket)) ?? IN_PROGRESS);
        }
        return ok(opened);
      }),

    record: (intent, candidates) =>
      unlessGone(database.write((transaction) => claim(transaction, intent, candidates), 'finishes')),

    recover: (intent, candidates) =>
      unlessGone(
        database.write(async (transaction) => {
          const recording = await claim(transaction, intent, candidates);
          if (typeof recording === 'object') await makeEqualIntentsWait(transaction, intent);
          return recording;
        }, 'finishes'),
      ),

    abandon: (intent) =>
      database.write(async (transaction) => {
        if (!(await deleteIntentOfThatTime(transaction, intent))) return false;
        await deleteTicketOf(transaction, intent.id);
        return true;
      }, 'finishes'),

    listIntents: (siteId) => selectIntents(database.read, database.now(), siteId),

    countIntents: () => countRows(database.read, 'intents'),
    listVersion: makeCachedRead(database, (siteId) => selectListVersion(database.read, siteId)),
    listNewest: (siteId, atMost) => selectNewestVouchers(database.read, siteId, atMost),
    forgetOldAnswers: (nowMs) =>
      database.write((transaction) => deleteAnswersBefore(transaction, nowMs - ANSWERS_KEPT_MS)),
  };
}

async function claim(
  transaction: Handle,
  intent: Intent,
  candidates: UpstreamVoucher[],
): Promise<CreatedVoucher | 'all-taken'> {
  for (const upstream of await withoutTaken(transaction, intent.siteId, candidates)) {
    if (upstream.code === null) continue;
    const voucher = {
      siteId: intent.siteId,
      userId: intent.userId,
      batchId: intent.batchId,
      source: intent.source,
      code: upstream.code,
      upstream,
      createdAtS: toWholeSeconds(intent.createdAtMs),
    };
    if (await insertVoucherUnlessTaken(transaction, voucher))
      return finishIntent(transaction, intent, upstream.code);
  }
  return 'all-taken';
}

/** Among hundreds of equal ones most are taken: one question is cheaper than trying each. */
async function withoutTaken(
  transaction: Handle,
  siteId: SiteId,
  candidates: UpstreamVoucher[],
): Promise<UpstreamVoucher[]> {
  if (candidates.length < 2) return candidates;
  const ids = candidates.map(({ controllerVoucherId }) => controllerVoucherId).filter((id) => id !== null);
  const known = await selectKnownVouchers(transaction, siteId, ids);
  const taken = new Set<string | null>(known.map(({ controllerVoucherId }) => controllerVoucherId));
  return candidates.filter(({ controllerVoucherId }) => !taken.has(controllerVoucherId));
}

/** The intent decides who records its voucher: without it, somebody else has settled the matter. */
class IntentGone extends Error {}

function unlessGone(recording: Promise<Recording>): Promise<Recording> {
  return recording.catch((error) => {
    if (error instanceof IntentGone) return 'intent-gone';
    throw error;
  });
}

function refusalOf(
  { bodyHash }: RememberedAnswer,
  ticket: IdempotencyTicket,
): { kind: 'idempotency-key-reused' } | undefined {
  return bodyHash === ticket.bodyHash ? undefined : { kind: 'idempotency-key-reused' };
}

async function finishIntent(transaction: Handle, intent: Intent, code: string): Promise<CreatedVoucher> {
  if (!(await deleteIntent(transaction, intent.id))) throw new IntentGone();

  const { siteId, siteName, source, order, createdAtMs, address } = intent;
  const { maxUses, expireMinutes } = order;
  const created = { code, siteName, maxUses, expireMinutes };
  // A batch is announced and noted as a whole when it ends; who comes later comes alone.
  if (!intent.batchId || !(await holdOpenBatch(transaction, intent.batchId))) {
    await insertOutboxEvent(transaction, {
      eventId: randomUUID(),
      voucherCount: 1,
      siteName,
      source,
      occurredAtMs: createdAtMs,
    });
    await insertAuditEntry(transaction, {
      atMs: createdAtMs,
      actor: source,
      action: 'voucher.created',
      subject: `${siteInAudit(siteId, siteName)}: ${order.name}`,
      ...(address !== undefined && { address }),
    });
  }
  await rememberAnswer(transaction, intent.id, JSON.stringify(created));
  // Others wait for this row until the commit: it comes last.
  await raiseListVersion(transaction, siteId);
  return created;
}
