// What the handlers of all printers that poll have in common: the method, the token of the path, and the answer with a
// job. Such a request has no session and no origin, because printers send none.

import { problemResponse } from '../../../kernel/contract/problem-response.ts';
import type { Handler, HttpRequest, HttpResponse } from '../../../platform/http/handler.ts';
import type { OpenPollingPath } from '../open-polling-path.ts';
import type { HandedOutJob } from '../polled-jobs.ts';
import type { PollingKind, Printer } from '../printer.ts';

export type PrinterHandler = (printer: Printer, request: HttpRequest) => Promise<HttpResponse>;

export interface PrinterDeps {
  openPollingPath: OpenPollingPath;
  /** Runs work that continues after the response. Logs its errors. */
  inBackground: (work: Promise<unknown>) => void;
}

/**
 * `methods`: keyed by the name of the method. Others are refused, also HEAD: nothing is handed out without its bytes.
 */
export function withPrinter(
  kind: PollingKind,
  { openPollingPath }: PrinterDeps,
  methods: Record<string, PrinterHandler>,
): Handler {
  const handlers = new Map(Object.entries(methods));
  return async (request) => {
    const handle = handlers.get(request.method);
    if (!handle) return problemResponse({ kind: 'method-not-allowed', allowed: [...handlers.keys()] });
    const opened = await openPollingPath(kind, request.parameters?.[0] ?? '', request.clientIp());
    if (opened.result === 'wrong') return problemResponse({ kind: 'path-unknown' });
    if (opened.result === 'flood') request.refusedBecause = 'flood';
    if (opened.result !== 'opened')
      return problemResponse({ kind: 'rate-limited', secondsLeft: opened.secondsLeft });
    request.isRoutine = true;
    return handle(opened.printer, request);
  };
}

export function jobResponse(
  { bytes, noteWritten }: HandedOutJob,
  headers: Record<string, string>,
  { inBackground }: PrinterDeps,
): HttpResponse {
  return {
    status: 200,
    headers: { 'cache-control': 'no-store', ...headers },
    body: bytes,
    noteWritten: (isWhole) => inBackground(noteWritten(isWhole)),
  };
}
