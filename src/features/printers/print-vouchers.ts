// Prints vouchers that exist, prints a test page, and cancels print jobs.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { MessageId, PrinterId, SiteId, VoucherId } from '../../kernel/ids.ts';
import { MAX_SLIPS, type SlipStore } from '../../kernel/slips/slip.ts';
import { hasEnded, stateOf } from '../../kernel/vouchers/voucher-state.ts';
import { toWholeSeconds } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { PrintProblem } from './order-print.ts';
import type { AddedPrintJob, PrintJobStore } from './print-job.ts';
import type { Printer, PrinterStore } from './printer.ts';

export interface PrintedBy {
  audit: AuditContext;
  /** The sites that the caller may use. */
  siteIds: SiteId[];
}

export interface PrintedVouchers {
  printer: Printer;
  jobs: AddedPrintJob[];
  /** Vouchers that have ended, which are not printed. */
  leftOut: VoucherId[];
}

export type PrintVouchersProblem =
  | PrintProblem
  | { kind: 'too-many-slips'; max: number }
  /** One of the vouchers does not exist, or belongs to another site than the printer. */
  | { kind: 'voucher-not-found' }
  /** All of the vouchers have ended. */
  | { kind: 'voucher-ended' };

export type PrintVouchers = (
  printerId: PrinterId,
  voucherIds: VoucherId[],
  by: PrintedBy,
) => Promise<Result<PrintedVouchers, PrintVouchersProblem>>;

export type PrintTestPage = (printerId: PrinterId, by: PrintedBy) => Promise<Result<MessageId, PrintProblem>>;

/** False if there is no such job, or if it is no longer queued. */
export type CancelPrintJob = (id: MessageId, by: PrintedBy) => Promise<boolean>;

interface Deps {
  printers: Pick<PrinterStore, 'find'>;
  printJobs: Pick<PrintJobStore, 'add' | 'addTest' | 'search' | 'cancel'>;
  slips: Pick<SlipStore, 'findVouchers'>;
}

export function makePrintVouchers({ printers, printJobs, slips }: Deps): PrintVouchers {
  return async function printVouchers(printerId, voucherIds, { audit, siteIds }) {
    const printer = await findUsable(printers, printerId, siteIds);
    if (!printer) return fail({ kind: 'printer-unknown' });
    const ids = [...new Set(voucherIds)];
    if (ids.length === 0) return fail({ kind: 'voucher-not-found' });
    if (ids.length > MAX_SLIPS) return fail({ kind: 'too-many-slips', max: MAX_SLIPS });
    const found = await slips.findVouchers({ ids, siteIds: [printer.siteId] });
    if (found.length < ids.length) return fail({ kind: 'voucher-not-found' });
    const nowS = toWholeSeconds(audit.atMs);
    const ended = new Set(found.filter((voucher) => hasEnded(stateOf(voucher, nowS))).map(({ id }) => id));
    const worth = ids.filter((id) => !ended.has(id));
    if (worth.length === 0) return fail({ kind: 'voucher-ended' });
    return ok({ printer, jobs: await printJobs.add(printer, worth, audit), leftOut: [...ended] });
  };
}

export function makePrintTestPage({ printers, printJobs }: Omit<Deps, 'slips'>): PrintTestPage {
  return async function printTestPage(printerId, { audit, siteIds }) {
    const printer = await findUsable(printers, printerId, siteIds);
    return printer ? ok(await printJobs.addTest(printer, audit)) : fail({ kind: 'printer-unknown' });
  };
}

export function makeCancelPrintJob({ printJobs }: Pick<Deps, 'printJobs'>): CancelPrintJob {
  return async function cancelPrintJob(id, { audit, siteIds }) {
    const [job] = await printJobs.search({ id, siteIds, limit: 1 });
    return job !== undefined && printJobs.cancel(id, audit);
  };
}

/** Undefined if the caller may not use the printer, or if only a newer release knows its kind. */
async function findUsable(
  printers: Pick<PrinterStore, 'find'>,
  id: PrinterId,
  siteIds: SiteId[],
): Promise<Printer | undefined> {
  const printer = await printers.find(id);
  return printer && printer.kind !== UNKNOWN && siteIds.includes(printer.siteId) ? printer : undefined;
}
