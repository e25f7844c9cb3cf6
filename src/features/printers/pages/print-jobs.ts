// Prints vouchers on a receipt printer, and cancels jobs that are not printed yet. A printer or a voucher of a site
// that the user has no access to results in 404.

import { asMessageId, asPrinterId, type VoucherId } from '../../../kernel/ids.ts';
import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { redirect } from '../../../kernel/pages/layout.ts';
import { notFoundPage, problemPage } from '../../../kernel/pages/problem-page.ts';
import type { Route } from '../../../kernel/pages/route.ts';
import { nextOf } from '../../../kernel/sessions/pages/login-form.ts';
import { findBatch, readVoucherIds } from '../../../kernel/vouchers/pages/chosen-vouchers.ts';
import type { PrintedBy, PrintVouchersProblem } from '../print-vouchers.ts';
import { PRINT_JOB_TEXTS } from '../printer-texts.ts';
import { wouldBeCopy } from './job-state.ts';
import { PRINT_JOBS_PATH } from './print-button.ts';
import { rememberPlace } from './print-places.ts';

const permission = 'operator';

export const printJobRoutes: Route[] = [
  { method: 'POST', path: PRINT_JOBS_PATH, permission, run: print },
  { method: 'POST', path: `${PRINT_JOBS_PATH}/cancel`, permission, run: cancel },
];

async function print(context: AuthenticatedContext): Promise<Response> {
  const { app, form, messages } = context;
  const chosen = readVoucherIds(form, await findBatch(context, form));
  if (!chosen) return notFoundPage(context);
  const ids = form.has('rest') ? await withoutPrinted(context, chosen) : chosen;
  if (ids.length === 0) return problemPage(context, 422, messages.slip.nothing);
  const printerId = asPrinterId(readNumber(form.get('printer')));
  const ordered = await app.printVouchers(printerId, ids, await printedBy(context));
  if (!ordered.ok) return refuse(context, ordered.problem);
  const { printer, leftOut } = ordered.value;
  rememberPlace(context, printer.siteId, printer.id);
  return redirect(context, nextOf(context), leftOut.length > 0 ? 'printOrderedPartly' : 'printOrdered');
}

function refuse(context: AuthenticatedContext, problem: PrintVouchersProblem): Response {
  if (problem.kind === 'voucher-ended')
    return problemPage(context, 409, PRINT_JOB_TEXTS[context.language].ended);
  if (problem.kind === 'too-many-slips')
    return problemPage(context, 422, context.messages.slip.tooMany(problem.max));
  return notFoundPage(context);
}

async function printedBy(context: AuthenticatedContext): Promise<PrintedBy> {
  const sites = await context.app.sitesFor(context.user);
  return { audit: auditContextOf(context), siteIds: sites.map(({ id }) => id) };
}

/** Leaves out the vouchers that are already on paper, or will be. */
async function withoutPrinted({ app }: AuthenticatedContext, ids: VoucherId[]): Promise<VoucherId[]> {
  const newest = await app.printJobs.newestOf(ids);
  return ids.filter((id) => !wouldBeCopy(newest.get(id)));
}

/** Cancels one job, or all waiting jobs of a batch. A job that is no longer queued stays as it is. */
async function cancel(context: AuthenticatedContext): Promise<Response> {
  const { app, form } = context;
  const by = await printedBy(context);
  const batch = await findBatch(context, form);
  const jobs = batch
    ? [...(await app.printJobs.newestOf(batch.vouchers.map(({ id }) => id))).values()]
    : await app.printJobs.search({ id: asMessageId(readNumber(form.get('job'))), limit: 1 });
  const own = jobs.filter(({ siteId }) => siteId !== null && by.siteIds.includes(siteId));
  if (own.length === 0) return notFoundPage(context);
  let cancelled = 0;
  for (const { id, state } of own)
    if (state === 'queued' && (await app.cancelPrintJob(id, by))) cancelled += 1;
  return redirect(context, nextOf(context), cancelled > 0 ? 'printCancelled' : 'printTooLate');
}

/** 0, which is no id, for anything else. */
function readNumber(text: string | null): number {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0;
}
