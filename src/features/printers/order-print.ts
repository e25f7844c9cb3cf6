// Makes the print job of a voucher that is ordered, unless the site has no such printer.

import type { Actor } from '../../kernel/audit/actor.ts';
import type { SiteId } from '../../kernel/ids.ts';
import type { HeldMessage } from '../../kernel/messages/message.ts';
import { type OrderLimit, slipsOf } from '../../kernel/messages/order-limit.ts';
import type { OrderProblems } from '../../kernel/problem.ts';
import type { HandOverWay } from '../../kernel/vouchers/hand-over-way.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import { makePrintJob, type OrderedPrint, PRINTER_CHANNEL } from './print-job.ts';
import type { PrinterStore } from './printer.ts';

declare module '../../kernel/problem.ts' {
  interface OrderProblems {
    /** The printer does not exist, belongs to another site, or only a newer release knows its kind. */
    'printer-unknown': { kind: 'printer-unknown' };
  }
}

export type PrintProblem = OrderProblems['printer-unknown'];

/** Without an actor, the job is not counted: the caller only wants to know whether it would be refused. */
export type OrderPrint = (
  print: OrderedPrint,
  order: { siteId: SiteId; actor?: Actor },
) => Promise<Result<HeldMessage, PrintProblem>>;

interface Deps {
  printers: Pick<PrinterStore, 'find'>;
  clock: Clock;
}

export function makeOrderPrint({ printers, clock }: Deps): OrderPrint {
  return async function orderPrint({ printerId }, { siteId, actor }) {
    const printer = await printers.find(printerId);
    if (printer?.siteId !== siteId || printer.kind === UNKNOWN) return fail({ kind: 'printer-unknown' });
    const job = makePrintJob(printer, { kind: 'slip', atMs: clock.nowMs() });
    const counted = actor && slipsOf(actor);
    return ok({ ...job, channel: PRINTER_CHANNEL.name, ...(counted && { orderedBy: counted.by }) });
  };
}

export function makePrintWay(orderPrint: OrderPrint, { take }: OrderLimit): HandOverWay {
  return {
    usedValue: ({ print }) => print && { what: 'order', value: 'print' },
    async findProblem({ print }, site) {
      const printed = print && (await orderPrint(print, site));
      return printed && !printed.ok ? printed.problem : undefined;
    },
    async order({ print }, by) {
      const printed = print && (await orderPrint(print, by));
      return printed?.ok ? ok({ message: printed.value, [Symbol.dispose]() {} }) : printed;
    },
    async refuseMany({ print }, { actor, count }) {
      const slips = print && slipsOf(actor);
      const taken = slips && (await take(slips, count));
      if (taken && !taken.ok) return taken.problem;
      taken?.value[Symbol.dispose]();
      return undefined;
    },
  };
}
