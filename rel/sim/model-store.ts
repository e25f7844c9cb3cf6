// The store in memory: the same transactions as on a database, each of which takes effect at one moment. It stands for
// the database that all instances share, including its clock.

import type { UpstreamVoucher } from '../../src/kernel/controllers/controller.ts';
import { asIntentId, asVoucherId, type IntentId } from '../../src/kernel/ids.ts';
import type { KnownVoucher, UsageChange } from '../../src/kernel/vouchers/usage-records.ts';
import { isSameOrder } from '../../src/kernel/vouchers/voucher-order.ts';
import type {
  CreatedVoucher,
  IdempotencyTicket,
  Intent,
  NewIntent,
  OpenIntent,
  Recording,
} from '../../src/kernel/vouchers/voucher-records.ts';
import { fail, ok } from '../../src/platform/values/result.ts';
import type { World } from './world.ts';

export interface Row extends KnownVoucher {
  code: string;
  /** The caller that ordered the voucher; null if the voucher was imported. */
  source: string | null;
}

interface Ticket {
  intentId: IntentId | undefined;
  response: CreatedVoucher | undefined;
}

export type ModelStore = ReturnType<typeof makeModelStore>;

export function makeModelStore(world: World) {
  const intents = new Map<IntentId, Intent>();
  const rows: Row[] = [];
  const taken = new Map<string, Row>();
  const tickets = new Map<string, Ticket>();
  let lastIntent = 0;
  let announced = 0;

  const ticketOf = (id: IntentId) => [...tickets].find(([, ticket]) => ticket.intentId === id);

  function insert(upstream: UpstreamVoucher, source: string | null): boolean {
    const { controllerVoucherId: id, code, maxUses, expireMinutes, usedCount } = upstream;
    if (id === null || code === null || taken.has(id)) return false;
    const usage = { usedCount, createdAtS: 0, firstUsedAtS: null, endedAtS: null, missingSinceS: null };
    const row = {
      id: asVoucherId(rows.length + 1),
      controllerVoucherId: id,
      code,
      source,
      maxUses,
      expireMinutes,
      endsAtS: null,
      ...usage,
    };
    rows.push(row);
    taken.set(id, row);
    return true;
  }

  function record(equal: Intent[], candidates: UpstreamVoucher[]): Recording {
    const recording: Recording = { created: [], left: [] };
    for (const intent of equal.filter(({ id }) => intents.has(id))) {
      const created = recordOne(intent, candidates);
      if (created) recording.created.push(created);
      else recording.left.push(intent);
    }
    return recording;
  }

  function recordOne(intent: Intent, candidates: UpstreamVoucher[]): CreatedVoucher | undefined {
    const claimed = candidates.find((upstream) => insert(upstream, intent.actor.name));
    if (!claimed) return undefined;
    intents.delete(intent.id);
    announced++;
    const { siteName, order } = intent;
    const { maxUses, expireMinutes } = order;
    const created = { code: claimed.code ?? '', siteName, maxUses, expireMinutes };
    const ticket = ticketOf(intent.id);
    if (ticket) tickets.set(ticket[0], { intentId: undefined, response: created });
    return created;
  }

  return {
    rows: rows as readonly Row[],
    announced: () => announced,
    openIntents: () => intents.size,
    readNowMs: () => world.nowMs(),

    findResponse({ key }: IdempotencyTicket) {
      const ticket = tickets.get(key);
      if (!ticket) return undefined;
      return ticket.response
        ? ok({ response: ticket.response })
        : fail({ kind: 'idempotency-in-progress' as const });
    },

    begin(
      intent: NewIntent,
      { count = 1, ticket }: { count?: number; ticket?: IdempotencyTicket | undefined } = {},
    ) {
      if (ticket && tickets.has(ticket.key)) return fail({ kind: 'idempotency-in-progress' as const });
      const opened = Array.from({ length: count }, () => {
        const id = asIntentId(++lastIntent);
        return { ...intent, id, createdAtMs: world.nowMs() };
      });
      for (const each of opened) intents.set(each.id, each);
      if (ticket) tickets.set(ticket.key, { intentId: opened[0]?.id, response: undefined });
      return ok(opened);
    },

    record,
    recover(equal: Intent[], candidates: UpstreamVoucher[]): Recording {
      const recording = record(equal, candidates);
      const [intent] = equal;
      if (intent && recording.created.length > 0)
        for (const other of intents.values())
          if (isSameOrder(other.order, intent.order) && other.createdAtMs < intent.createdAtMs)
            intents.set(other.id, { ...other, createdAtMs: intent.createdAtMs });
      return recording;
    },

    abandon(equal: Intent[]) {
      const found = equal.filter(({ id, createdAtMs }) => intents.get(id)?.createdAtMs === createdAtMs);
      for (const { id } of found) {
        intents.delete(id);
        const ticket = ticketOf(id);
        if (ticket) tickets.delete(ticket[0]);
      }
      return found.length > 0;
    },

    listIntents: (): OpenIntent[] =>
      [...intents.values()].map((intent) => ({ ...intent, ageMs: world.nowMs() - intent.createdAtMs })),

    newestId: () => asVoucherId(rows.length),
    findKnown: (ids: string[]) => ids.map((id) => taken.get(id)).filter((row) => row !== undefined),
    readExpected: (afterId: number, limit: number) =>
      rows.filter(({ id, missingSinceS }) => id > afterId && missingSinceS === null).slice(0, limit),
    sampleExpected: () =>
      rows
        .filter(({ missingSinceS, endedAtS }) => missingSinceS === null && endedAtS === null)
        .map(({ controllerVoucherId }) => controllerVoucherId),
    change(changes: UsageChange[]) {
      for (const change of changes) Object.assign(rows[change.id - 1] ?? {}, change);
    },
    importForeign(vouchers: UpstreamVoucher[]) {
      const awaited = new Set([...intents.values()].map(({ order }) => order.name));
      return vouchers.filter((voucher) => !awaited.has(voucher.name) && insert(voucher, null)).length;
    },
  };
}
