// The part of the voucher form that says where new vouchers are printed at once: on one of the printers of the chosen
// site, or on paper.

import { asSiteId } from '../../../kernel/ids.ts';
import type { PageContext } from '../../../kernel/pages/context.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { OrderedPrint } from '../print-job.ts';
import { PRINT_JOB_TEXTS } from '../printer-texts.ts';
import { findPrinter, PAPER, type PlacesAt, type PrintPlaces, rememberPlace } from './print-places.ts';

/** Without JavaScript, the field may name a printer of another site. Then the choice that is remembered counts. */
function placeOf({ form }: PageContext, { printers, chosen }: PrintPlaces): PrintPlaces['chosen'] {
  const field = form.get('printer');
  return field === PAPER ? PAPER : (findPrinter(printers, field) ?? chosen);
}

/** What the order asks of a printer; nothing if the vouchers are not printed, or on paper. */
export function readOrderedPrint(context: PageContext, places: PrintPlaces): { print?: OrderedPrint } {
  const place = placeOf(context, places);
  return context.form.has('print') && place && place !== PAPER ? { print: { printerId: place.id } } : {};
}

/** A choice counts only if the vouchers are printed. */
export function rememberPrintField(context: PageContext, placesAt: PlacesAt): void {
  if (!context.form.has('print')) return;
  const siteId = asSiteId(Number(context.form.get('site')));
  const { printers } = placesAt(siteId);
  const field = context.form.get('printer');
  if (printers.length > 0 && field && (field === PAPER || findPrinter(printers, field)))
    rememberPlace(context, siteId, field);
}

/** Pairs of a value and a label. */
function choicesOf({ language }: PageContext, { printers }: PrintPlaces): [string, string][] {
  if (printers.length === 0) return [];
  return [
    ...printers.map(({ id, name }): [string, string] => [String(id), name]),
    [PAPER, PRINT_JOB_TEXTS[language].paper],
  ];
}

function fieldValueOf(context: PageContext, places: PrintPlaces): string {
  const place = placeOf(context, places) ?? PAPER;
  return place === PAPER ? PAPER : String(place.id);
}

/** The attributes of a site with which `enhance.js` offers its printers. */
export function printersAttribute(context: PageContext, places: PrintPlaces): Html | false {
  const choices = choicesOf(context, places);
  return (
    choices.length > 0 &&
    html` data-printers="${JSON.stringify(choices)}" data-printer="${fieldValueOf(context, places)}"`
  );
}

export function placeField(context: PageContext, places: PrintPlaces): Html {
  const choices = choicesOf(context, places);
  const value = fieldValueOf(context, places);
  return html`<span class="print-on"${choices.length === 0 && html` hidden`}><label class="hidden-text" for="printer">${PRINT_JOB_TEXTS[context.language].on}</label><select id="printer" name="printer">${choices.map(
    ([one, label]) => html`<option value="${one}"${one === value && html` selected`}>${label}</option>`,
  )}</select></span>`;
}
