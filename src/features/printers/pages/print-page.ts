// The print page while a receipt printer is chosen instead of paper: it names the vouchers, says which slips will be
// copies, and has the button that orders the print jobs.

import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken, oneTimeToken } from '../../../kernel/pages/layout.ts';
import { note } from '../../../kernel/pages/message.ts';
import type { SlipVoucher } from '../../../kernel/slips/slip.ts';
import type { PrintShown } from '../../../kernel/vouchers/pages/voucher-slots.ts';
import { formatCode } from '../../../kernel/vouchers/voucher.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import type { Printer } from '../printer.ts';
import { PRINT_JOB_TEXTS, PRINTER_TEXTS } from '../printer-texts.ts';
import { reasonOf, wouldBeCopy } from './job-state.ts';
import { labelled, PRINT_JOBS_PATH } from './print-button.ts';
import { findPrinter, PAPER, type PrintPlaces, printPlacesOf, rememberPlace } from './print-places.ts';

/** The places for vouchers of one site. Vouchers of several sites have no common printer. */
export async function placesFor(
  context: AuthenticatedContext,
  vouchers: SlipVoucher[],
): Promise<PrintPlaces> {
  const [siteId, ...others] = new Set(vouchers.map((voucher) => voucher.siteId));
  if (siteId === undefined) return { printers: [], chosen: PAPER };
  if (others.length > 0) {
    const isDivided = (await context.app.printers.list([siteId, ...others])).length > 0;
    return { printers: [], chosen: PAPER, isDivided };
  }
  const places = await printPlacesOf(context, siteId);
  const asked = askedFor(context, places.printers);
  if (asked === undefined) return places;
  if (places.printers.length > 0) rememberPlace(context, siteId, asked === PAPER ? PAPER : asked.id);
  return { ...places, chosen: asked };
}

function askedFor({ query }: AuthenticatedContext, printers: Printer[]): PrintPlaces['chosen'] {
  if (query.has('paper') || query.get('printer') === PAPER) return PAPER;
  return findPrinter(printers, query.get('printer'));
}

export function printerChips(
  { query, path, language }: AuthenticatedContext,
  { printers, chosen }: PrintPlaces,
): Html | false {
  if (printers.length === 0) return false;
  const chips = printers.map((printer) => {
    const inputs = new URLSearchParams(query);
    for (const name of ['paper', 'first']) inputs.delete(name);
    inputs.set('printer', String(printer.id));
    return html`<a class="chip" href="${path}?${String(inputs)}"${printer === chosen && html` aria-current="true"`}>${printer.name}</a>`;
  });
  return html`<nav class="chips papers" aria-label="${PRINT_JOB_TEXTS[language].printers}">${chips}</nav>`;
}

export async function printerForm(
  context: AuthenticatedContext,
  printer: Printer,
  { vouchers, chips, fields, next, back }: PrintShown & { vouchers: SlipVoucher[] },
): Promise<Html> {
  const { language, app } = context;
  const text = PRINT_JOB_TEXTS[language];
  const newest = await app.printJobs.newestOf(vouchers.map(({ id }) => id));
  const copies = vouchers.filter(({ id }) => wouldBeCopy(newest.get(id))).length;
  const label = copies < vouchers.length ? text.print : vouchers.length === 1 ? text.copy : text.copies;
  return html`<p class="soft">${text.slips(vouchers.length)}</p>
${chips}${stateNote(context, printer)}${copies > 0 && html`<p>${text.alreadyPrinted(copies, vouchers.length)}</p>`}<form method="post" action="${PRINT_JOBS_PATH}">${formToken(context)}${oneTimeToken()}${[
    ...fields,
    ['next', next] as const,
  ].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="actions"><button class="button primary" name="printer" value="${printer.id}">${icon('print')}${labelled(label, printer.name)}</button>${back}</div></form>
<section class="card"><ul class="codes">${vouchers.map(({ id, code }) => html`<li><a class="code" href="/vouchers/${id}">${formatCode(code)}</a></li>`)}</ul></section>`;
}

function stateNote(context: AuthenticatedContext, printer: Printer): Html | undefined {
  const why = reasonOf(context, printer);
  return (
    why &&
    note(
      'warning',
      `${printer.name}: ${PRINTER_TEXTS[context.language].states[why]}. ${PRINT_JOB_TEXTS[context.language].remedies[why]}`,
    )
  );
}
