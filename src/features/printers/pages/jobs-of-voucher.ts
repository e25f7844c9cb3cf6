// What became of the print jobs of a voucher: the newest below its code, and a card with all if there are several.

import type { VoucherId } from '../../../kernel/ids.ts';
import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken } from '../../../kernel/pages/layout.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { isOpen, type LoggedPrintJob } from '../print-job.ts';
import type { Printer } from '../printer.ts';
import { PRINT_JOB_TEXTS } from '../printer-texts.ts';
import { jobLines } from './job-state.ts';
import { PRINT_JOBS_PATH } from './print-button.ts';

/** Hardly any voucher has more jobs. */
const MAX_SHOWN = 5;
/** How often the state of a job is fetched until it is printed. */
const REFRESHED_EVERY_S = 2;

/** Newest first. */
export function newestJobsOf({ app }: AuthenticatedContext, voucherId: VoucherId): Promise<LoggedPrintJob[]> {
  return app.printJobs.search({ voucherId, limit: MAX_SHOWN });
}

interface Shown {
  printers: Printer[];
  /** The page that opens after a job was cancelled. */
  next: string;
}

/**
 * The part of the page with the newest job. It is refreshed until the job is printed, without JavaScript by a reload.
 */
export function newestJob(
  context: AuthenticatedContext,
  job: LoggedPrintJob | undefined,
  { printers, next }: Shown,
): Html | false {
  return (
    job !== undefined &&
    livePart(isOpen(job), html`${linesOf(context, job, printers)}${cancelButton(context, job, next)}`)
  );
}

/** A part of a page about print jobs that is fetched again while `isLive`. */
export function livePart(isLive: boolean, content: Html): Html {
  return html`<div class="printed-at" id="printed-at" role="status" data-part${isLive && html` data-refresh="${REFRESHED_EVERY_S}"`}>${content}</div>`;
}

function cancelButton(context: AuthenticatedContext, job: LoggedPrintJob, next: string): Html | false {
  return (
    job.state === 'queued' &&
    html`<form method="post" action="${PRINT_JOBS_PATH}/cancel">${formToken(context)}<input type="hidden" name="next" value="${next}"><button class="button quiet" name="job" value="${job.id}">${PRINT_JOB_TEXTS[context.language].cancel}</button></form>`
  );
}

export function jobCard(
  context: AuthenticatedContext,
  jobs: LoggedPrintJob[],
  { printers }: Pick<Shown, 'printers'>,
): Html | false {
  if (jobs.length < 2) return false;
  return html`<section class="card" aria-labelledby="jobs"><h2 id="jobs">${PRINT_JOB_TEXTS[context.language].title}</h2><ul class="mails">${jobs.map((job) => html`<li>${linesOf(context, job, printers)}</li>`)}</ul></section>`;
}

function linesOf(context: AuthenticatedContext, job: LoggedPrintJob, printers: Printer[]): Html {
  const printer = printers.find(({ id }) => id === job.printerId);
  return jobLines(context, job, printer);
}
