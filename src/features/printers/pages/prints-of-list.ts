// Printing from the list of vouchers: the items of the row menus, and a mark on vouchers whose slip is missing or may be.

import type { VoucherId } from '../../../kernel/ids.ts';
import type { AuthenticatedContext, PageContext } from '../../../kernel/pages/context.ts';
import { formToken, oneTimeToken } from '../../../kernel/pages/layout.ts';
import { type Line, type Lines, shownIn } from '../../../kernel/vouchers/pages/list-lines.ts';
import type { FoundVoucher } from '../../../kernel/vouchers/voucher-search.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { iconThatSays } from '../../../platform/pages/ui/icons.ts';
import type { LoggedPrintJob } from '../print-job.ts';
import type { Printer } from '../printer.ts';
import { PRINT_JOB_TEXTS } from '../printer-texts.ts';
import { problemOf, wouldBeCopy } from './job-state.ts';
import { PRINT_JOBS_PATH } from './print-button.ts';
import { PAPER, type PlacesAt, printPlacesAt } from './print-places.ts';

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

/**
 * One form for each printer. The buttons in the row menus belong to these forms, and `live-search.js` adds the name of the
 * printer to them, to keep the page small.
 */
export function printForms(context: PageContext, lines: Line[], { placesAt }: PrintsOfList): Html[] {
  const { path, request } = context;
  const next = request.query ? `${path}?${request.query}` : path;
  const printers = new Set(shownIn(lines).flatMap(({ siteId }) => printerAt(placesAt, siteId) ?? []));
  return [...printers].map(
    ({ id, name }) =>
      html`<form id="at-${id}" data-name="${name}" method="post" action="${PRINT_JOBS_PATH}">${formToken(context)}${oneTimeToken()}<input type="hidden" name="printer" value="${id}"><input type="hidden" name="next" value="${next}"></form>`,
  );
}

function printerAt(placesAt: PlacesAt, siteId: FoundVoucher['siteId']): Printer | undefined {
  const { chosen } = placesAt(siteId);
  return chosen === PAPER ? undefined : chosen;
}

/** Prints at once on the printer that the device used last. The print page offers the other printers and paper. */
export function printItems(
  { messages, language }: PageContext,
  { id, siteId }: FoundVoucher,
  { prints, printPage }: { prints: PrintsOfList; printPage: string },
): Html {
  const { result } = messages;
  const text = PRINT_JOB_TEXTS[language];
  const printer = printerAt(prints.placesAt, siteId);
  if (!printer) return html`<a href="${printPage}">${result.print}</a>`;
  const label = wouldBeCopy(prints.newest.get(id)) ? text.copy : text.print;
  return html`<button form="at-${printer.id}" name="voucher" value="${id}">${label}</button><a href="${printPage}">${text.otherWay}</a>`;
}

/** A page with such marks draws the icon `print`. */
export function printMark({ language }: PageContext, job: LoggedPrintJob | undefined): Html | undefined {
  const problem = job && problemOf(job);
  return problem && html` ${iconThatSays('print', PRINT_JOB_TEXTS[language].marks[problem], true)}`;
}
