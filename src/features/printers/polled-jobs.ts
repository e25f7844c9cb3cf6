// Print jobs of printers that ask for them. A job is recorded as being sent before its first byte is handed out. If the
// printer then asks for work without having said what became of the job, its slip may have been printed: the job ends
// as unknown and is never handed out again. See docs/decisions/0079-printers.md.

import type { MessageId } from '../../kernel/ids.ts';
import type { AttemptOutcome, Message } from '../../kernel/messages/message.ts';
import type { HandedOutMessage, PulledMessages } from '../../kernel/messages/pull-messages.ts';
import { makeFreshRead } from '../../platform/concurrency/fresh-read.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { PrintJobStore } from './print-job.ts';
import type { Printer, PrinterStatus, PrinterStore } from './printer.ts';

/** Limits the memory. The bytes of other jobs are made again if a printer fetches them again. */
const MAX_KEPT = 50;
/** The time of the last poll is stored at most this often, unless the state of the printer changes. */
const NOTED_EVERY_MS = 10_000;

/** The search for old jobs reads all waiting ones, of which there may be thousands. */
const EXPIRED_EVERY_MS = 1_000;

/** The bytes that the printer gets; or the outcome, if the job cannot be printed. */
export type WriteJob = (
  printer: Printer,
  job: Message,
) => Promise<{ bytes: Buffer } | { outcome: AttemptOutcome }>;

/**
 * What a printer says about a job. `later`: nothing was printed, and the same job may work later. `refused`: nothing
 * was printed, and the same job would fail again. `unclear`: a part of the slip may have been printed.
 */
export interface JobReport {
  fate: 'printed' | 'later' | 'refused' | 'unclear';
  /** The number of the error, if the printer has numbers. */
  status: number | null;
  words: string | null;
}

/** What a printer says about itself. */
export type PrinterReport = Omit<PrinterStatus, 'atMs'>;

export interface HandedOutJob {
  bytes: Buffer;
  /** Call this when the connection took all bytes, or broke off before. */
  noteWritten(isWhole: boolean): Promise<void>;
}

export interface PolledJobs {
  /** The printer asks for work. Returns the job that it may fetch. */
  offer(printer: Printer): Promise<MessageId | undefined>;
  /** The printer fetches a job, at first or again. It gets the same bytes until it asks for work again. */
  fetch(printer: Printer, id: MessageId | undefined): Promise<HandedOutJob | undefined>;
  /** The printer asks for work and gets it at once. */
  offerAndFetch(printer: Printer): Promise<HandedOutJob | undefined>;
  /** Without `id`, the report is about the job that the printer is getting. */
  report(printer: Printer, id: MessageId | undefined, report: JobReport): Promise<void>;
  noteStatus(printer: Printer, report: PrinterReport): Promise<void>;
}

interface Deps {
  pulled: PulledMessages;
  printers: Pick<PrinterStore, 'noteStatus'>;
  printJobs: Pick<PrintJobStore, 'expireOld'>;
  writeJob: WriteJob;
  clock: Clock;
}

export function makePolledJobs({ pulled, printers, printJobs, writeJob, clock }: Deps): PolledJobs {
  /** The bytes that were handed out last. */
  const kept = new Map<MessageId, Buffer>();
  const expireOld = makeFreshRead({ clock, freshMs: EXPIRED_EVERY_MS }, printJobs.expireOld);

  async function poll(printer: Printer): Promise<Message | undefined> {
    await expireOld();
    return pulled.poll(printer.id);
  }

  /** Undefined if the job cannot be printed, or if another request was faster. */
  async function handOut(printer: Printer, job: Message): Promise<HandedOutJob | undefined> {
    const again = job.state === 'sending' ? kept.get(job.id) : undefined;
    const written = again ? { bytes: again } : await writeJob(printer, job);
    if ('outcome' in written) {
      if (job.state === 'waiting') await pulled.conclude(job, written.outcome);
      return undefined;
    }
    const handedOut = await pulled.handOut(job);
    if (!handedOut) return undefined;
    keep(job.id, written.bytes);
    return toJob(handedOut, written.bytes);
  }

  function keep(id: MessageId, bytes: Buffer): void {
    kept.delete(id);
    kept.set(id, bytes);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  }

  return {
    offer: async (printer) => (await poll(printer))?.id,

    async fetch(printer, id) {
      await expireOld();
      const job = await pulled.find(printer.id, id);
      if (!job) return undefined;
      const handedOut = await handOut(printer, job);
      if (handedOut) return handedOut;
      // The same printer may have sent the request twice at the same time. Then both get the job.
      const changed = await pulled.find(printer.id, job.id);
      return changed?.state === 'sending' ? handOut(printer, changed) : undefined;
    },

    async offerAndFetch(printer) {
      for (;;) {
        const job = await poll(printer);
        if (!job) return undefined;
        const handedOut = await handOut(printer, job);
        if (handedOut) return handedOut;
        // If another request got this job, it must not end as unknown here. Only a job that ended makes room for the
        // next.
        if (await pulled.find(printer.id, job.id)) return undefined;
      }
    },

    async report(printer, id, report) {
      await pulled.confirm(printer.id, id, toOutcome(report));
    },

    async noteStatus(printer, { state, words }) {
      const { status, seenAtMs } = printer;
      const atMs = clock.nowMs();
      const isSame = status?.state === state && status.words === words;
      // A time in the future comes from a clock that was set back since.
      if (isSame && seenAtMs !== null && Math.abs(atMs - seenAtMs) < NOTED_EVERY_MS) return;
      await printers.noteStatus(printer.id, { state, words, atMs });
    },
  };
}

function toJob({ giveBack }: HandedOutMessage, bytes: Buffer): HandedOutJob {
  return {
    bytes,
    async noteWritten(isWhole) {
      if (!isWhole) await giveBack();
    },
  };
}

/** The desk waits for its slips. */
const MAX_PAUSE_MS = 10_000;
/** Time to insert paper. Without this pause, all waiting jobs would end as unknown in the meantime. */
const MAX_PAUSE_AFTER_FAULT_MS = 30_000;

function toOutcome({ fate, status, words }: JobReport): AttemptOutcome {
  const made = { durationMs: 0, status, error: words, response: null };
  switch (fate) {
    case 'printed':
      return { ...made, error: null, result: 'done' };
    case 'later':
      return {
        ...made,
        result: 'later',
        pauses: 'recipient',
        retryAfterMs: null,
        isFaultOfRecipient: true,
        maxPauseMs: MAX_PAUSE_MS,
      };
    case 'refused':
      return { ...made, result: 'never' };
    case 'unclear':
      return { ...made, result: 'unknown', maxPauseMs: MAX_PAUSE_AFTER_FAULT_MS };
  }
}
