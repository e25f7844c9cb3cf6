// Printing from the list of vouchers: the items of the row menus, and a mark on vouchers whose slip is missing or may
// be.

import type { VoucherId } from '../../../kernel/ids.ts';
import type { PageContext } from '../../../kernel/pages/context.ts';
import { formToken, oneTimeToken } from '../../../kernel/pages/layout.ts';
import type { Marks } from '../../../kernel/vouchers/pages/voucher-slots.ts';
import type { FoundVoucher } from '../../../kernel/vouchers/voucher-search.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { iconThatSays } from '../../../platform/pages/ui/icons.ts';
import type { LoggedPrintJob } from '../print-job.ts';
import type { Printer } from '../printer.ts';
import { PRINT_JOB_TEXTS } from '../printer-texts.ts';
import { problemOf, wouldBeCopy } from './job-state.ts';
import { PRINT_JOBS_PATH } from './print-button.ts';
import { PAPER, type PlacesAt } from './print-places.ts';

/** The newest print job of each voucher that has one. */
type Newest = Map<VoucherId, LoggedPrintJob>;

interface Shown {
  placesAt: PlacesAt;
  newest: Newest;
  printPage: string;
}

/**
 * One form for each printer. The buttons in the row menus belong to these forms, and `live-search.js` adds the name of
 * the printer to them, to keep the page small.
 */
export function printForms(context: PageContext, vouchers: FoundVoucher[], placesAt: PlacesAt): Html[] {
  const { path, request } = context;
  const next = request.query ? `${path}?${request.query}` : path;
  const printers = new Set(vouchers.flatMap(({ siteId }) => printerAt(placesAt, siteId) ?? []));
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
  { language }: PageContext,
  { id, siteId }: FoundVoucher,
  { placesAt, newest, printPage }: Shown,
): Html | undefined {
  const text = PRINT_JOB_TEXTS[language];
  const printer = printerAt(placesAt, siteId);
  if (!printer) return undefined;
  const label = wouldBeCopy(newest.get(id)) ? text.copy : text.print;
  return html`<button form="at-${printer.id}" name="voucher" value="${id}">${label}</button><a href="${printPage}">${text.otherWay}</a>`;
}

export function printMarks({ language }: PageContext, newest: Newest): Marks {
  return {
    icon: 'print',
    of(id) {
      const job = newest.get(id);
      const problem = job && problemOf(job);
      return problem && html` ${iconThatSays('print', PRINT_JOB_TEXTS[language].marks[problem], true)}`;
    },
  };
}
