// Finds the printer whose id is in the path. Responds with 404 if there is no such printer.

import { asPrinterId } from '../../../kernel/ids.ts';
import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { notFoundPage } from '../../../kernel/pages/problem-page.ts';
import type { Printer } from '../printer.ts';

type Run = (context: AuthenticatedContext, printer: Printer) => Response | Promise<Response>;

export function withPrinter(run: Run): (context: AuthenticatedContext) => Promise<Response> {
  return async (context) => {
    const { printer: text = '' } = context.parameters;
    const id = /^\d{1,9}$/.test(text) ? asPrinterId(Number(text)) : undefined;
    const printer = id && (await context.app.printers.find(id));
    return printer ? run(context, printer) : notFoundPage(context);
  };
}
