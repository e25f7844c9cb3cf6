// Says what became of a print job, in the same words on every page, and what to do about it.

import type { AuthenticatedContext, PageContext } from '../../../kernel/pages/context.ts';
import { sayMoment } from '../../../kernel/pages/say-moment.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import type { LoggedPrintJob } from '../print-job.ts';
import type { Printer } from '../printer.ts';
import { type FailingState, hasProblem, stateNow } from '../printer-state.ts';
import { PRINT_JOB_TEXTS, PRINTER_TEXTS } from '../printer-texts.ts';

type State = LoggedPrintJob['state'];

/** The user has to do something about jobs in these states. */
const PROBLEMS = ['unknown', 'failed', 'expired'] as const satisfies State[];
/** The voucher is on paper, or will be. A further slip is then a copy. */
const PRINTED: readonly State[] = ['queued', 'sending', 'printed', 'unknown'];

export function problemOf({ state }: LoggedPrintJob): (typeof PROBLEMS)[number] | undefined {
  return PROBLEMS.find((one) => one === state);
}

export function isProblem(job: LoggedPrintJob): boolean {
  return problemOf(job) !== undefined;
}

/** Whether a further slip of the voucher would be marked as a copy. */
export function wouldBeCopy(newest: LoggedPrintJob | undefined): boolean {
  return newest !== undefined && (newest.isCopy || PRINTED.includes(newest.state));
}

/** One sentence without a full stop: "Printed on Reception, 14:03". Without `printer` it was removed. */
export function sayJob(context: PageContext, job: LoggedPrintJob, printer?: Printer): string {
  const text = PRINT_JOB_TEXTS[context.language];
  const { printerName: name, state, isCopy, isConfirmed } = job;
  const at = sayMoment(context, job.finishedAtMs ?? job.createdAtMs);
  const why = reasonOf(context, printer);
  switch (state) {
    case 'queued':
      return why ? text.queuedBecause(name, PRINTER_TEXTS[context.language].states[why]) : text.queued(name);
    case 'sending':
      return text.sending(name);
    case 'printed':
      if (isConfirmed) return isCopy ? text.copyPrinted(name, at) : text.printed(name, at);
      return isCopy ? text.copySent(name, at) : text.sent(name, at);
    case 'failed':
      return text.failed(name, at);
    case 'expired':
      return text.expired(name, at);
    case 'cancelled':
      return text.cancelled(name, at);
    default:
      return text.unclear(name, at);
  }
}

/** What is wrong with the printer, as far as this release knows. */
export function reasonOf({ nowMs }: PageContext, printer: Printer | undefined): FailingState | undefined {
  const state = printer && stateNow(printer, nowMs).state;
  return state && hasProblem(state) ? state : undefined;
}

function adviceOf(
  context: PageContext,
  { state, isConfirmed }: LoggedPrintJob,
  printer?: Printer,
): string | undefined {
  const text = PRINT_JOB_TEXTS[context.language];
  const why = reasonOf(context, printer);
  if (state === 'queued') return why && text.remedies[why];
  if (state === 'printed') return isConfirmed ? undefined : text.neverConfirms;
  if (state === 'failed' || state === 'expired') return text.printAgain;
  return state === 'unknown' ? text.lookAtPrinter : undefined;
}

/** What the printer or the network said. Why a printer is silent interests only administrators. */
function wordsOf(context: AuthenticatedContext, job: LoggedPrintJob, printer?: Printer): string | null {
  if (isProblem(job)) return job.lastError;
  const why = reasonOf(context, printer);
  const isTold = why === 'fault' || (why === 'silent' && context.user.role === 'admin');
  return job.state === 'queued' && isTold ? (printer?.status?.words ?? null) : null;
}

/** The sentence, what to do, and the words of the printer. */
export function jobLines(context: AuthenticatedContext, job: LoggedPrintJob, printer?: Printer): Html {
  const advice = adviceOf(context, job, printer);
  const words = wordsOf(context, job, printer);
  const isBad = isProblem(job) || (job.state === 'queued' && reasonOf(context, printer) !== undefined);
  return html`<p class="mailed${isBad && ' bad'}">${icon('print')}${sayJob(context, job, printer)}</p>${advice && html`<p class="soft">${advice}</p>`}${words !== null && html`<p class="soft said clamped">${PRINT_JOB_TEXTS[context.language].printerSaid} <bdi lang="en">${words}</bdi></p>`}`;
}
