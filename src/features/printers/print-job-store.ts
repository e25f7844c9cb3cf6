// The store for print jobs. Each method that writes is one transaction.

import { printerDetails } from '../../kernel/audit/audit-details.ts';
import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import { asMessageId, type MessageId, type VoucherId } from '../../kernel/ids.ts';
import { selectLastAttempts } from '../../kernel/messages/attempt-queries.ts';
import { toColumns } from '../../kernel/messages/message-queries.ts';
import { holdSite, selectSiteName } from '../../kernel/sites/site-queries.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import { type JobPrinter, makePrintJob, PRINTER_CHANNEL, type PrintJobStore } from './print-job.ts';
import {
  cancelJob,
  countFailedJobs,
  endOldJobs,
  hasOldJobs,
  isPrintedBefore,
  selectJobs,
  selectNewestJobs,
} from './print-job-queries.ts';

/** An audit entry lists at most this many vouchers. */
const MAX_AUDITED_IDS = 20;

export function makePrintJobStore({ read, write, listOf, now }: Database): PrintJobStore {
  return {
    add: (printer, voucherIds, audit) =>
      write(async (transaction) => {
        // Without this lock, two users who print the same voucher at the same time would both get a slip without a
        // mark.
        await holdSite(transaction, printer.siteId);
        const added = [];
        for (const voucherId of voucherIds) {
          const isCopy = await isPrintedBefore(transaction, voucherId);
          const job = makePrintJob(printer, { kind: 'slip', isCopy, atMs: audit.atMs });
          added.push({ id: await insertJob(transaction, job, voucherId), voucherId, isCopy });
        }
        const [copies, firsts] = [
          added.filter(({ isCopy }) => isCopy),
          added.filter(({ isCopy }) => !isCopy),
        ];
        await noteSent(transaction, { printer, audit, vouchers: firsts.map(({ voucherId }) => voucherId) });
        await noteSent(transaction, {
          printer,
          audit,
          vouchers: copies.map(({ voucherId }) => voucherId),
          isCopy: true,
        });
        return added;
      }),
    addTest: (printer, audit) =>
      write(async (transaction) => {
        const job = makePrintJob(printer, { kind: 'test', atMs: audit.atMs });
        const id = await insertJob(transaction, job, null);
        const details = printerDetails(printer);
        await insertAuditEntry(transaction, { ...audit, action: 'printer.tested', details });
        return id;
      }),
    search: (search) => selectJobs(read, listOf, search),
    newestOf: (voucherIds) => selectNewestJobs(read, listOf, voucherIds),
    countFailed: (sinceMs) => countFailedJobs(read, sinceMs),
    listAttempts: (id) => selectLastAttempts(read, PRINTER_CHANNEL, id),
    cancel: (id, audit) =>
      write(async (transaction) => {
        if (!(await cancelJob(transaction, id, now()))) return false;
        const [job] = await selectJobs(transaction, listOf, { id, limit: 1 });
        if (job && job.siteId !== null) {
          const { printerId, printerName: name, siteId, voucherId } = job;
          const siteName = await selectSiteName(transaction, siteId);
          const details = {
            ...printerDetails({ id: printerId, name, siteId, siteName }),
            ...(voucherId !== null && { voucher: String(voucherId) }),
          };
          await insertAuditEntry(transaction, { ...audit, action: 'printer.job-cancelled', details });
        }
        return true;
      }),
    expireOld: async () =>
      (await hasOldJobs(read, now()))
        ? write((transaction) => endOldJobs(transaction, now()), 'finishes')
        : 0,
  };
}

async function insertJob(
  transaction: Handle,
  job: ReturnType<typeof makePrintJob>,
  voucherId: VoucherId | null,
): Promise<MessageId> {
  const { id } = await transaction
    .insertInto('messages')
    .values({ ...toColumns(PRINTER_CHANNEL.name, job), state: 'waiting', voucher_id: voucherId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return asMessageId(id);
}

interface Sent {
  printer: JobPrinter;
  vouchers: VoucherId[];
  isCopy?: true;
  audit: AuditContext;
}

async function noteSent(transaction: Handle, { printer, vouchers, isCopy, audit }: Sent): Promise<void> {
  const [first, ...further] = vouchers.slice(0, MAX_AUDITED_IDS).map(String);
  if (first === undefined) return;
  const details = { ...printerDetails(printer), ...(isCopy && { isCopy }) };
  const named =
    further.length === 0 ? { voucher: first } : { vouchers: [first, ...further], count: vouchers.length };
  await insertAuditEntry(transaction, {
    ...audit,
    action: 'voucher.sent-to-printer',
    details: { ...details, ...named },
  });
}
