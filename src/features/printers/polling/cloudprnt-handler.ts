// Star CloudPRNT: POST polls, GET fetches the job, DELETE says what became of it.

import { problemResponse } from '../../../kernel/contract/problem-response.ts';
import { asMessageId, type MessageId } from '../../../kernel/ids.ts';
import { type Handler, type HttpResponse, jsonResponse } from '../../../platform/http/handler.ts';
import type { PolledJobs } from '../polled-jobs.ts';
import { MEDIA_TYPE, readConfirmation, readPoll, writeOffer } from './cloudprnt.ts';
import { jobResponse, type PrinterDeps, type PrinterHandler, withPrinter } from './with-printer.ts';

interface Deps extends PrinterDeps {
  jobs: PolledJobs;
}

export function makeCloudprntHandler(deps: Deps): Handler {
  const { jobs } = deps;

  const poll: PrinterHandler = async (printer, request) => {
    const body = await request.readBody();
    if (!body.ok) return problemResponse(body.problem);
    const read = readPoll(body.value);
    if (!read) return problemResponse({ kind: 'unreadable' });
    await jobs.noteStatus(printer, read.report);
    if (read.isPrinting) return jsonResponse(200, writeOffer(undefined));
    const job = await jobs.offer(printer);
    return jsonResponse(200, writeOffer(read.report.state === 'ready' ? job : undefined));
  };

  const fetch: PrinterHandler = async (printer, { query }) => {
    const fields = new URLSearchParams(query);
    const type = fields.get('type') ?? MEDIA_TYPE;
    if (type.split(';')[0]?.trim() !== MEDIA_TYPE) return refuse(415, 'unsupported_media_type');
    const token = readToken(fields);
    const job = token && (await jobs.fetch(printer, token.job));
    if (!job) return refuse(404, 'not_found');
    // Without these headers, the printer would blur the dots of the picture, and cut as it is set up.
    const headers = {
      'x-star-imageditherpattern': 'none',
      'x-star-cut': printer.hasCutter ? 'partial; feed=true' : 'none',
    };
    return jobResponse(job, { 'content-type': MEDIA_TYPE, ...headers }, deps);
  };

  const confirm: PrinterHandler = async (printer, { query }) => {
    const fields = new URLSearchParams(query);
    const token = readToken(fields);
    if (!token) return refuse(404, 'not_found');
    await jobs.report(printer, token.job, readConfirmation(fields.get('code') ?? ''));
    return jsonResponse(200, {});
  };

  return withPrinter('cloudprnt', deps, { POST: poll, GET: fetch, DELETE: confirm });
}

/** The token of the offered job. Printers with an old firmware send none. Undefined if the token is not ours. */
function readToken(fields: URLSearchParams): { job: MessageId | undefined } | undefined {
  const token = fields.get('token') ?? '';
  if (token === '') return { job: undefined };
  return /^[1-9]\d{0,14}$/.test(token) ? { job: asMessageId(Number(token)) } : undefined;
}

function refuse(status: number, error: string): HttpResponse {
  return jsonResponse(status, { error });
}
