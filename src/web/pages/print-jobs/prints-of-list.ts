// Printing from the list of vouchers: the items of the row menus, and a mark on vouchers whose slip is missing or may be.

import type { VoucherId } from '../../../domain/ids.ts';
import type { LoggedPrintJob } from '../../../domain/printers/print-job.ts';
import type { Printer } from '../../../domain/printers/printer.ts';
import type { FoundVoucher } from '../../../domain/vouchers/voucher-search.ts';
import type { AuthenticatedContext, PageContext } from '../../http/context.ts';
import { type Html, html } from '../../ui/html.ts';
import { shapeOf } from '../../ui/icons.ts';
import { formToken, oneTimeToken } from '../../ui/layout.ts';
import { type Line, type Lines, shownIn } from '../vouchers/list-lines.ts';
import { isProblem, sayJob, wouldBeCopy } from './job-state.ts';
import { PRINT_JOBS_PATH } from './print-button.ts';
import { PAPER, type PlacesAt, printPlacesAt } from './print-places.ts';

/** A menu has no room for longer names, and the page must stay small. */
const MAX_NAME_SHOWN = 24;

export interface PrintsOfList {
  placesAt: PlacesAt;
  /** The newest print job of each voucher that has one. */
  newest: Map<VoucherId, LoggedPrintJob>;
}

export async function printsOf(context: AuthenticatedContext, { lines }: Lines): Promise<PrintsOfList> {
  const shown = shownIn(lines);
  return {
    placesAt: await printPlacesAt(context, [...new Set(shown.map(({ siteId }) => siteId))]),
    newest: await context.app.printJobs.newestOf(shown.map(({ id }) => id)),
  };
}

/** One form for each printer. The buttons in the row menus belong to these forms, to keep the page small. */
export function printForms(context: PageContext, lines: Line[], { placesAt }: PrintsOfList): Html[] {
  const { path, request } = context;
  const next = request.query ? `${path}?${request.query}` : path;
  const printers = new Set(shownIn(lines).flatMap(({ siteId }) => printerAt(placesAt, siteId) ?? []));
  return [...printers].map(
    ({ id }) =>
      html`<form id="at-${id}" method="post" action="${PRINT_JOBS_PATH}">${formToken(context)}${oneTimeToken()}<input type="hidden" name="printer" value="${id}"><input type="hidden" name="next" value="${next}"></form>`,
  );
}

function printerAt(placesAt: PlacesAt, siteId: FoundVoucher['siteId']): Printer | undefined {
  const { chosen } = placesAt(siteId);
  return chosen === PAPER ? undefined : chosen;
}

/** Prints at once on the printer that the device used last. The print page offers the other printers and paper. */
export function printItems(
  { messages }: PageContext,
  { id, siteId }: FoundVoucher,
  { prints, printPage }: { prints: PrintsOfList; printPage: string },
): Html {
  const { result, printJobs: text } = messages;
  const printer = printerAt(prints.placesAt, siteId);
  if (!printer) return html`<a href="${printPage}">${result.print}</a>`;
  const label = wouldBeCopy(prints.newest.get(id)) ? text.copy : text.print;
  return html`<button form="at-${printer.id}" name="voucher" value="${id}">${label} · ${shortened(printer.name)}</button><a href="${printPage}">${text.otherWay}</a>`;
}

function shortened(name: string): string {
  const characters = [...name];
  return characters.length > MAX_NAME_SHOWN ? `${characters.slice(0, MAX_NAME_SHOWN).join('')}…` : name;
}

export function printMark(context: PageContext, job: LoggedPrintJob | undefined): Html | false {
  return (
    job !== undefined &&
    isProblem(job) &&
    html` <svg class="icon bad" viewBox="0 0 24 24" role="img"><title>${sayJob(context, job)}</title>${shapeOf('print')}</svg>`
  );
}
