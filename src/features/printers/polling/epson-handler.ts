// Epson Server Direct Print: each request is a POST with a form, and the answer to a poll is the job. An empty answer
// means that there is nothing to print.

import { problemResponse } from '../../../kernel/contract/problem-response.ts';
import type { Handler, HttpResponse } from '../../../platform/http/handler.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import type { PolledJobs, PrinterReport } from '../polled-jobs.ts';
import type { Printer } from '../printer.ts';
import { readRequest } from './epson.ts';
import { jobResponse, type PrinterDeps, withPrinter } from './with-printer.ts';

const XML = { 'content-type': 'text/xml; charset=utf-8' };
const NOTHING: HttpResponse = { status: 200, headers: { ...XML, 'cache-control': 'no-store' }, body: '' };

interface Deps extends PrinterDeps {
  jobs: PolledJobs;
}

export function makeEpsonHandler(deps: Deps): Handler {
  const { jobs } = deps;

  async function poll(printer: Printer): Promise<HttpResponse> {
    await jobs.noteStatus(printer, lastReportOf(printer));
    const job = await jobs.offerAndFetch(printer);
    return job ? jobResponse(job, XML, deps) : NOTHING;
  }

  return withPrinter('epson', deps, {
    async POST(printer, request) {
      const body = await request.readBody();
      if (!body.ok) return problemResponse(body.problem);
      const read = readRequest(body.value);
      if (!read) return problemResponse({ kind: 'unreadable' });
      if (read.kind === 'poll') return poll(printer);
      if (read.kind === 'result') await jobs.report(printer, read.job, read.report);
      if (read.printer) await jobs.noteStatus(printer, read.printer);
      return NOTHING;
    },
  });
}

/** A poll does not report the state of the printer, so the last known state stays. */
function lastReportOf({ status }: Printer): PrinterReport {
  if (status === null || status.state === UNKNOWN) return { state: 'ready', words: null };
  return { state: status.state, words: status.words };
}
