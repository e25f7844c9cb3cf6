// The domain's voucher store on a database: each method is one transaction of queries.

import { randomUUID } from 'node:crypto';
import { toWholeSeconds } from '../domain/clock.ts';
import { fail, ok } from '../domain/result.ts';
import type {
  CreatedVoucher,
  IdempotencyTicket,
  Intent,
  VoucherStore,
} from '../domain/vouchers/voucher-store.ts';
import { insertAuditEntry } from './audit-queries.ts';
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
import { deleteIntent, insertIntent, selectIntents } from './intent-queries.ts';
import { insertOutboxEvent } from './outbox-queries.ts';
import { raiseListVersion, selectListVersion } from './site-queries.ts';
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
        const id = await insertIntent(transaction, intent);
        const opened = {
          intentId: id,
          createdAtMs: intent.createdAtMs,
          notBeforeMs: intent.createdAtMs - ANSWERS_KEPT_MS,
        };
        if (ticket && !(await insertTicket(transaction, ticket, opened))) {
          await deleteIntent(transaction, id);
          const taken = await selectAnswer(transaction, ticket, opened.notBeforeMs);
          return fail((taken && refusalOf(taken, ticket)) ?? IN_PROGRESS);
        }
        return ok({ id, ...intent });
      }),

    record: (intent, candidates) =>
      database.write(async (transaction) => {
        for (const upstream of candidates) {
          if (upstream.code === null) continue;
          const voucher = {
            siteId: intent.siteId,
            code: upstream.code,
            upstream,
            createdAtS: toWholeSeconds(intent.createdAtMs),
          };
          if (await insertVoucherUnlessTaken(transaction, voucher))
            return finishIntent(transaction, intent, upstream.code);
        }
        return undefined;
      }),

    abandon: (intent) =>
      database.write(async (transaction) => {
        await deleteIntent(transaction, intent.id);
        await deleteTicketOf(transaction, intent.id);
      }),

    listIntents: () => selectIntents(database.read),
    countIntents: () => countRows(database.read, 'intents'),
    listVersion: makeCachedRead(database, (siteId) => selectListVersion(database.read, siteId)),
    listNewest: (siteId, atMost) => selectNewestVouchers(database.read, siteId, atMost),
    forgetOldAnswers: (nowMs) =>
      database.write((transaction) => deleteAnswersBefore(transaction, nowMs - ANSWERS_KEPT_MS)),
  };
}

function refusalOf(
  { bodyHash }: RememberedAnswer,
  ticket: IdempotencyTicket,
): { kind: 'idempotency-key-reused' } | undefined {
  return bodyHash === ticket.bodyHash ? undefined : { kind: 'idempotency-key-reused' };
}

async function finishIntent(transaction: Handle, intent: Intent, code: string): Promise<CreatedVoucher> {
  // The intent decides who records its voucher: without it, somebody else has settled the matter.
  if (!(await deleteIntent(transaction, intent.id)))
    throw new Error(`intent ${intent.id} was settled by somebody else`);

  const { siteId, siteName, source, order, createdAtMs } = intent;
  const { maxUses, expireMinutes } = order;
  const created = { code, siteName, maxUses, expireMinutes };
  await raiseListVersion(transaction, siteId);
  await insertOutboxEvent(transaction, {
    eventId: randomUUID(),
    voucherCount: 1,
    siteName,
    source,
    createdAtMs,
  });
  await insertAuditEntry(transaction, {
    atMs: createdAtMs,
    actor: source,
    action: 'voucher.created',
    subject: `site ${siteId}: ${order.name}`,
  });
  await rememberAnswer(transaction, intent.id, JSON.stringify(created));
  return created;
}
