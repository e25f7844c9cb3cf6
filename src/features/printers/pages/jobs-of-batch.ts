// Printing a batch: the button, and what became of its print jobs: how many are in which state, and which vouchers to
// check.

import type { Batch } from '../../../kernel/batches/batch.ts';
import type { VoucherId } from '../../../kernel/ids.ts';
import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken } from '../../../kernel/pages/layout.ts';
import { formatCode, statusOf } from '../../../kernel/vouchers/voucher.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { isOpen, type LoggedPrintJob, PRINT_JOB_STATES } from '../print-job.ts';
import type { Printer } from '../printer.ts';
import { PRINT_JOB_TEXTS, PRINTER_TEXTS } from '../printer-texts.ts';
import { isProblem, reasonOf, wouldBeCopy } from './job-state.ts';
import { livePart } from './jobs-of-voucher.ts';
import { PRINT_JOBS_PATH, printButton } from './print-button.ts';
import { type PrintPlaces, printPlacesOf } from './print-places.ts';

/** At most this many vouchers are named. */
const MAX_NAMED = 5;

type Newest = Map<VoucherId, LoggedPrintJob>;

/** Where the vouchers of a batch can be printed, and the newest print job of each. */
interface BatchPrinting {
  places: PrintPlaces;
  newest: Newest;
}

export async function printingOf(context: AuthenticatedContext, batch: Batch): Promise<BatchPrinting> {
  return {
    places: await printPlacesOf(context, batch.order.siteId),
    newest: await context.app.printJobs.newestOf(batch.vouchers.map(({ id }) => id)),
  };
}

/** Prints the vouchers that are not printed yet. If all are, it prints copies. */
export function printBatchButton(
  context: AuthenticatedContext,
  batch: Batch,
  { places, newest, isPrimary }: BatchPrinting & { isPrimary: boolean },
): Html {
  const text = PRINT_JOB_TEXTS[context.language];
  const { id } = batch;
  const valid = batch.vouchers.filter((voucher) => statusOf(voucher, context.nowS) !== 'expired');
  const missing = valid.filter((voucher) => !wouldBeCopy(newest.get(voucher.id))).length;
  const isCopy = missing === 0;
  const isRest = !isCopy && missing < valid.length;
  return printButton(context, places, {
    vouchers: { batch: id, ...(isRest && { rest: 1 }) },
    printPage: `/vouchers/print?batch=${id}`,
    next: `/batches/${id}`,
    isPrimary,
    isCopy,
    ...(isRest && { label: text.rest(missing) }),
    ...(isCopy && valid.length > 1 && { label: text.copies }),
  });
}

export function jobsOfBatch(
  context: AuthenticatedContext,
  batch: Batch,
  { newest, places: { printers } }: BatchPrinting,
): Html | false {
  const { language } = context;
  const text = PRINT_JOB_TEXTS[language];
  const jobs = [...newest.values()];
  if (jobs.length === 0) return false;
  const counts = PRINT_JOB_STATES.flatMap((state) => {
    const count = jobs.filter((job) => job.state === state).length;
    return count > 0 ? `${count.toLocaleString(language)} ${text.states[state]}` : [];
  });
  const hasProblems = jobs.some(isProblem);
  const isWaiting = jobs.some(({ state }) => state === 'queued');
  return livePart(
    jobs.some(isOpen),
    html`<p class="mailed${hasProblems && ' bad'}">${icon('print')}${text.inStates(counts.join(', '))}</p>
${waitingFor(context, jobs, printers)}${toLookAt(context, batch, newest)}${isWaiting && cancelButton(context, batch)}`,
  );
}

/** Why jobs wait, for each printer that has something wrong. */
function waitingFor(context: AuthenticatedContext, jobs: LoggedPrintJob[], printers: Printer[]): Html[] {
  const text = PRINT_JOB_TEXTS[context.language];
  const awaited = new Set(jobs.filter(({ state }) => state === 'queued').map(({ printerId }) => printerId));
  return printers.flatMap((printer) => {
    const why = awaited.has(printer.id) ? reasonOf(context, printer) : undefined;
    return why
      ? html`<p class="mailed bad">${text.queuedBecause(printer.name, PRINTER_TEXTS[context.language].states[why])}. ${text.remedies[why]}</p>`
      : [];
  });
}

function toLookAt({ language }: AuthenticatedContext, { vouchers }: Batch, newest: Newest): Html | false {
  const text = PRINT_JOB_TEXTS[language];
  const found = vouchers.filter(({ id }) => {
    const job = newest.get(id);
    return job !== undefined && isProblem(job);
  });
  if (found.length === 0) return false;
  const links = found
    .slice(0, MAX_NAMED)
    .map(
      ({ id, code }, index) =>
        html`${index > 0 && ', '}<a class="code" href="/vouchers/${id}">${formatCode(code)}</a>`,
    );
  return html`<p class="soft">${text.lookAt} ${links}${found.length > MAX_NAMED && ` ${text.further(found.length - MAX_NAMED)}`}</p>`;
}

function cancelButton(context: AuthenticatedContext, { id }: Batch): Html {
  return html`<form method="post" action="${PRINT_JOBS_PATH}/cancel">${formToken(context)}<input type="hidden" name="next" value="/batches/${id}"><button class="button quiet" name="batch" value="${id}">${PRINT_JOB_TEXTS[context.language].cancelRest}</button></form>`;
}
