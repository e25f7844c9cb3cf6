// A print job: a message of the channel `printer` to one printer. Also defines the store for print jobs.

import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { MessageId, PrinterId, SiteId, VoucherId } from '../../kernel/ids.ts';
import type { Attempt, ChannelRules, NewMessage } from '../../kernel/messages/message.ts';
import type { OrUnknown } from '../../platform/values/unknown-value.ts';
import type { Printer } from './printer.ts';

/** `slip`: the slip of a voucher. `test`: a test page. */
export const PRINT_JOB_KINDS = ['slip', 'test'] as const;
export type PrintJobKind = (typeof PRINT_JOB_KINDS)[number];

/** A printer prints its jobs one after the other. */
export const PRINTER_CHANNEL: ChannelRules = { name: 'printer', kinds: PRINT_JOB_KINDS, keepsSequence: true };

/**
 * `unknown`: the slip may have been printed, and the job is not repeated. `expired`: it was not printed in time.
 * `cancelled`: the voucher ended, the printer was removed, or a user cancelled the job.
 */
export const PRINT_JOB_STATES = [
  'queued',
  'sending',
  'printed',
  'unknown',
  'failed',
  'expired',
  'cancelled',
] as const;
export type PrintJobState = (typeof PRINT_JOB_STATES)[number];

/** True while the state changes by itself. */
export function isOpen({ state }: Pick<LoggedPrintJob, 'state'>): boolean {
  return state === 'queued' || state === 'sending';
}

declare module '../../kernel/vouchers/voucher-order.ts' {
  interface VoucherOrder {
    print?: OrderedPrint;
  }
}

/** What an order asks for: each voucher is printed by this printer. */
export interface OrderedPrint {
  printerId: PrinterId;
}

/** The payload of a print job. */
export interface PrintJobFacts {
  /** The name of the printer when the job was ordered. The printer may have been removed since. */
  printer: string;
  /** True if the voucher was printed before. The slip is then marked as a copy. */
  isCopy?: true;
}

const FACTS = v.object({ printer: v.string(), isCopy: v.exactOptional(v.literal(true)) });

/** Undefined if this release cannot read the payload. */
export function readPrintJobFacts(payload: unknown): PrintJobFacts | undefined {
  const read = v.safeParse(FACTS, payload);
  return read.success ? read.output : undefined;
}

/** What a print job needs to know about its printer. */
export type JobPrinter = Pick<Printer, 'id' | 'name' | 'siteId' | 'siteName'>;

export function makePrintJob(
  { id, name }: Pick<Printer, 'id' | 'name'>,
  { kind, isCopy = false, atMs }: { kind: PrintJobKind; isCopy?: boolean; atMs: number },
): Omit<NewMessage, 'sealedPayload'> {
  return {
    recipientId: id,
    eventId: randomUUID(),
    kind,
    payload: { printer: name, ...(isCopy && { isCopy }) } satisfies PrintJobFacts,
    occurredAtMs: atMs,
  };
}

/** The response that is stored for a job of a printer that never confirms what it has printed. */
export const UNCONFIRMED = 'sent';

/** One row of the log. */
export interface LoggedPrintJob {
  id: MessageId;
  kind: OrUnknown<PrintJobKind>;
  printerId: PrinterId;
  printerName: string;
  /** Null for a test page whose printer was removed. */
  siteId: SiteId | null;
  voucherId: VoucherId | null;
  /** A state that only a newer release knows is `unknown`, too. */
  state: PrintJobState;
  isCopy: boolean;
  /** False if the printer never confirms what it has printed. Its jobs count as printed when they were sent. */
  isConfirmed: boolean;
  /** Why the last attempt failed. */
  lastError: string | null;
  createdAtMs: number;
  finishedAtMs: number | null;
}

export interface PrintJobSearch {
  limit: number;
  /** The sites that the caller may see; absent for all. */
  siteIds?: SiteId[];
  printerId?: PrinterId;
  voucherId?: VoucherId;
  id?: MessageId;
  /** Only jobs older than this one. */
  beforeId?: MessageId;
}

export interface PrintJobStore {
  /** Queues the slips of vouchers that exist. A voucher that was printed before is marked as a copy. */
  add(printer: JobPrinter, voucherIds: VoucherId[], audit: AuditContext): Promise<AddedPrintJob[]>;
  addTest(printer: JobPrinter, audit: AuditContext): Promise<MessageId>;
  /** Newest first. */
  search(search: PrintJobSearch): Promise<LoggedPrintJob[]>;
  /** The newest job of each of these vouchers. */
  newestOf(voucherIds: VoucherId[]): Promise<Map<VoucherId, LoggedPrintJob>>;
  /** By printer: the jobs that have ended since then and were not printed, or perhaps not. */
  countFailed(sinceMs: number): Promise<Map<PrinterId, number>>;
  listAttempts(id: MessageId): Promise<(Attempt & { atMs: number })[]>;
  /** False if the job is no longer queued. */
  cancel(id: MessageId, audit: AuditContext): Promise<boolean>;
  /**
   * Ends the jobs that were not printed in time, unless their printer is working through its jobs. Also ends the jobs
   * of printers that were removed since. Returns their number.
   */
  expireOld(): Promise<number>;
}

export interface AddedPrintJob {
  id: MessageId;
  voucherId: VoucherId;
  isCopy: boolean;
}
