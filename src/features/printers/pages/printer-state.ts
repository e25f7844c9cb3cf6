// Shows the state of a printer: a pill, since when, what the printer said, and what to do.

import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { note } from '../../../kernel/pages/message.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { type IconName, icon } from '../../../platform/pages/ui/icons.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import type { Printer } from '../printer.ts';
import { adviseOnPrinter, type ShownState, stateNow } from '../printer-state.ts';
import { PRINTER_TEXTS } from '../printer-texts.ts';

const PILLS = {
  new: 'expired',
  ready: 'valid',
  'paper-out': 'failing',
  'cover-open': 'failing',
  fault: 'failing',
  silent: 'failing',
  unknown: 'used',
} as const satisfies Record<ShownState, string>;
const SHAPES = {
  new: 'new',
  ready: 'valid',
  'paper-out': 'warning',
  'cover-open': 'warning',
  fault: 'warning',
  silent: 'warning',
  unknown: 'warning',
} as const satisfies Record<ShownState, IconName>;

/** The time is shown for a state that does not last by itself, such as an open cover. */
export function printerState(context: AuthenticatedContext, printer: Printer): Html {
  const text = PRINTER_TEXTS[context.language];
  const { state, sinceMs } = stateNow(printer, context.nowMs);
  const since = sinceMs !== null && PILLS[state] === 'failing' && text.since(sayTime(sinceMs, context));
  return html`<span><span class="pill ${PILLS[state]}">${icon(SHAPES[state])}${text.states[state]}</span>${since && html`<span class="sub">${since}</span>`}</span>`;
}

/** What the printer said, and what to do. False if nothing has to be done. */
export function printerAdvice(context: AuthenticatedContext, printer: Printer): Html | false {
  const text = PRINTER_TEXTS[context.language];
  const now = stateNow(printer, context.nowMs);
  const advice = adviseOnPrinter(printer, now);
  if (now.state === 'new') return note('info', advice ? text.advice[advice] : text.newDirect);
  return (
    advice !== undefined &&
    note(
      'warning',
      html`<p>${text.advice[advice]}</p>${now.words !== null && printerWords(context, now.words)}`,
    )
  );
}

/** The words come from the printer or the network, so they are shown only as escaped text. */
export function printerWords({ language }: AuthenticatedContext, words: string): Html {
  const text = PRINTER_TEXTS[language];
  return html`<p class="soft said">${text.said} <bdi lang="en">${words}</bdi></p>`;
}
