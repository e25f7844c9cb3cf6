// The button that prints vouchers at once on the receipt printer that the device used last, with a menu of the other
// printers and paper. Works without JavaScript.

import type { PageContext } from '../../../kernel/pages/context.ts';
import { formToken, oneTimeToken } from '../../../kernel/pages/layout.ts';
import { PRINT_NOW } from '../../../kernel/vouchers/pages/hand-over.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { PRINT_JOB_TEXTS, PRINTER_TEXTS } from '../printer-texts.ts';
import { reasonOf } from './job-state.ts';
import { PAPER, type PrintPlaces } from './print-places.ts';

export const PRINT_JOBS_PATH = '/print-jobs';

interface Printed {
  /** Fields that name the vouchers: `voucher` or `batch`. */
  vouchers: Record<string, string | number>;
  /** The print page for the vouchers. */
  printPage: string;
  /** The page that opens afterwards. */
  next: string;
  /** True if printing is the most likely next step. */
  isPrimary: boolean;
  /** What the button does, if not only to print; for example to print a copy. */
  label?: string;
  /** True if the slips will be marked as copies. */
  isCopy?: boolean;
}

export function printButton(context: PageContext, places: PrintPlaces, printed: Printed): Html {
  const { result } = context.messages;
  const text = PRINT_JOB_TEXTS[context.language];
  const { vouchers, next, isPrimary, isCopy, label = isCopy ? text.copy : text.print } = printed;
  const { printers, chosen } = places;
  const look = `button${isPrimary ? ' primary' : ''}`;
  const onPaper = `${printed.printPage}&printer=${PAPER}${PRINT_NOW}`;
  const fields = Object.entries({ ...vouchers, next });
  const first =
    chosen === PAPER
      ? html`<a class="${look}" href="${onPaper}">${icon('print')}${labelled(result.print, text.paper)}</a>`
      : chosen &&
        html`<button class="${look}" name="printer" value="${chosen.id}">${icon('print')}${labelled(label, chosen.name)}</button>`;
  const others = printers.filter((printer) => printer !== chosen);
  return html`<form class="print-at" method="post" action="${PRINT_JOBS_PATH}">${formToken(context)}${oneTimeToken()}${fields.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}
${first}<details class="menu${!first && ' named'}"><summary class="${first ? 'button' : look}"${first && html` aria-label="${text.other}" title="${text.other}"`}>${!first && html`${icon('print')}${label} …`}</summary><div class="places"><span class="soft">${isCopy ? text.copyOn : text.on}</span>
${others.map((printer) => html`<button name="printer" value="${printer.id}">${printer.name}${stateOf(context, printer)}</button>`)}${chosen !== PAPER && html`<a href="${onPaper}">${text.paperDialog}</a>`}</div></details></form>`;
}

/** The place is cut if the button has no room for it. */
export function labelled(what: string, place: string): Html {
  return html`<span>${what}</span><span class="at" title="${place}">${place}</span>`;
}

function stateOf(context: PageContext, printer: PrintPlaces['printers'][number]): Html | undefined {
  const why = reasonOf(context, printer);
  return why && html`<span class="sub">${PRINTER_TEXTS[context.language].states[why]}</span>`;
}
