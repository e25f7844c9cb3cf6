// The paths that printers poll. Their handlers are loaded with the first request, because most services have no such
// printer.

import { problemResponse } from '../../../kernel/contract/problem-response.ts';
import type { Area, Handler } from '../../../platform/http/handler.ts';
import { makeRouter } from '../../api-v1/routes.ts';
import { POLLING_PATH, type PollingKind } from '../printer.ts';

export type PrintingHandlers = Record<PollingKind, Handler>;

export function makePrintingArea(load: () => Promise<PrintingHandlers>): Area {
  const late =
    (kind: PollingKind): Handler =>
    async (request) =>
      (await load())[kind](request);
  const handlers = { '/cloudprnt/{token}': late('cloudprnt'), '/epson/{token}': late('epson') };
  const unknown: Handler = () => problemResponse({ kind: 'path-unknown' });
  return { ...makeRouter(POLLING_PATH, handlers, unknown), presentProblem: problemResponse };
}
