// Renders the list of printers, and the details, actions and last jobs of one printer.

import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken } from '../../../kernel/pages/layout.ts';
import { note } from '../../../kernel/pages/message.ts';
import type { SlipVoucher } from '../../../kernel/slips/slip.ts';
import { formatCode } from '../../../kernel/vouchers/voucher.ts';
import { factList } from '../../../platform/pages/ui/fact-list.ts';
import { type Html, html, type Piece } from '../../../platform/pages/ui/html.ts';
import { type IconName, icon } from '../../../platform/pages/ui/icons.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import type { LoggedPrintJob } from '../print-job.ts';
import { isPolling, type Printer } from '../printer.ts';
import { PRINTER_TEXTS } from '../printer-texts.ts';
import { printerAdvice, printerState } from './printer-state.ts';

type JobState = LoggedPrintJob['state'];

const PILLS = {
  queued: 'used',
  sending: 'used',
  printed: 'valid',
  unknown: 'failing',
  failed: 'failing',
  expired: 'failing',
  cancelled: 'expired',
} as const satisfies Record<JobState, string>;
const SHAPES = {
  queued: 'expired',
  sending: 'expired',
  printed: 'valid',
  unknown: 'warning',
  failed: 'warning',
  expired: 'warning',
  cancelled: 'ended',
} as const satisfies Record<JobState, IconName>;

/** One card for each site. */
export function printerCards(context: AuthenticatedContext, all: Printer[]): Html {
  const groups = Map.groupBy(all, ({ siteId }) => siteId);
  return html`${[...groups].map(
    ([siteId, printers]) =>
      html`<section class="card" id="site-${siteId}"><h2 class="clamped">${printers[0]?.siteName}</h2>${printerTable(context, printers)}</section>`,
  )}`;
}

function printerTable(context: AuthenticatedContext, printers: Printer[]): Html {
  const text = PRINTER_TEXTS[context.language];
  const labels = [text.name, text.kind, text.paper, text.state];
  return html`<table class="printers"><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${printers.map(
    (
      printer,
    ) => html`<tr><td data-label="${text.name}"><a class="listed clamped" href="/printers/${printer.id}" title="${printer.name}">${printer.name}</a></td>
<td data-label="${text.kind}"><span class="kind-of">${kindOf(context, printer)}${printer.address !== null && html`<span class="sub clipped">${printer.address}</span>`}</span></td>
<td class="short" data-label="${text.paper}">${paperOf(context, printer)}</td>
<td data-label="${text.state}">${printerState(context, printer)}</td></tr>`,
  )}</tbody></table>`;
}

function kindOf({ messages: { admin }, language }: AuthenticatedContext, { kind }: Printer): string {
  return kind === UNKNOWN ? admin.notKnown : PRINTER_TEXTS[language].kinds[kind].name;
}

function paperOf({ messages: { admin }, language }: AuthenticatedContext, { paper }: Printer): string {
  return paper === UNKNOWN ? admin.notKnown : PRINTER_TEXTS[language].papers[paper];
}

export function printerCard(context: AuthenticatedContext, printer: Printer): Html {
  const text = PRINTER_TEXTS[context.language];
  const { id, name, kind } = printer;
  const isKnown = kind !== UNKNOWN;
  return html`<section class="card"><h1>${name}</h1>${printerAdvice(context, printer)}${!isKnown && note('info', context.messages.admin.notKnownKept)}${factList(factsOf(context, printer))}
<div class="actions">${isKnown && html`<form method="post" action="/printers/${id}/test" data-working="${text.testing}">${formToken(context)}<button class="button primary" type="submit">${icon('print')}<span>${text.test}</span></button></form>`}
${isPolling(printer) && html`<form method="post" action="/printers/${id}/path">${formToken(context)}<button class="button" type="submit">${icon('key')}<span>${text.pathShow}</span></button></form>`}
<a class="button" href="/printers/${id}/edit">${text.edit}</a>
<a class="button risky" href="/printers/${id}/remove">${text.remove}</a></div></section>`;
}

function factsOf(context: AuthenticatedContext, printer: Printer): [string, Piece][] {
  const { admin } = context.messages;
  const text = PRINTER_TEXTS[context.language];
  const { id, siteId, siteName, address, layout, copies, hasCutter, jobMinutes, seenAtMs } = printer;
  return [
    [text.state, printerState(context, printer)],
    [text.seen, seenAtMs === null ? text.never : timeOf(context, seenAtMs)],
    [text.site, html`<a href="/sites/${siteId}">${siteName}</a>`],
    [text.kind, kindOf(context, printer)],
    ...(address === null ? [] : [[text.address, address] satisfies [string, Piece]]),
    [text.paper, paperOf(context, printer)],
    [text.layout, layout === UNKNOWN ? admin.notKnown : text.layouts[layout].label],
    [text.copies, copies],
    [text.cutter, hasCutter ? admin.yes : admin.no],
    [text.jobMinutes, jobMinutes],
    [text.number, id],
  ];
}

type Vouchers = ReadonlyMap<LoggedPrintJob['voucherId'], SlipVoucher>;

export function jobTable(context: AuthenticatedContext, jobs: LoggedPrintJob[], vouchers: Vouchers): Html {
  const text = PRINTER_TEXTS[context.language];
  if (jobs.length === 0) return html`<p class="soft">${text.noJobs}</p>`;
  const labels = [text.job, text.at, text.state, text.error];
  return html`<table><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${jobs.map(
    (job) => html`<tr><td data-label="${text.job}">${whatOf(context, job, vouchers)}</td>
<td data-label="${text.at}">${timeOf(context, job.finishedAtMs ?? job.createdAtMs)}</td>
<td data-label="${text.state}">${jobState(context, job)}</td>
<td${job.lastError === null && html` class="nothing"`} data-label="${text.error}">${job.lastError === null ? '–' : html`<bdi lang="en">${job.lastError}</bdi>`}</td></tr>`,
  )}</tbody></table>`;
}

function whatOf(
  { language }: AuthenticatedContext,
  { kind, voucherId, isCopy }: LoggedPrintJob,
  vouchers: Vouchers,
): Html {
  const text = PRINTER_TEXTS[language];
  const voucher = vouchers.get(voucherId);
  const what = kind === 'test' ? text.testPage : text.slip;
  const named = voucher
    ? html`<a class="code" href="/vouchers/${voucher.id}">${formatCode(voucher.code)}</a>`
    : what;
  return html`<span>${named}${isCopy && html`<span class="sub">${text.isCopy}</span>`}</span>`;
}

function jobState({ language }: AuthenticatedContext, job: LoggedPrintJob): Html {
  const text = PRINTER_TEXTS[language];
  const { state } = job;
  const outcome = outcomeOf(job);
  const more = state === 'expired' ? text.tooLate : state === 'unknown' && text.mayBePrinted;
  return html`<span><span class="pill ${PILLS[state]}">${icon(SHAPES[state])}${text.jobStates[outcome]}</span>${more && html`<span class="sub">${more}</span>`}</span>`;
}

/** A job counts as sent, not as printed, if the printer never confirms. */
export function outcomeOf({ state, isConfirmed }: LoggedPrintJob): JobState | 'sent' {
  return state === 'printed' && !isConfirmed ? 'sent' : state;
}

function timeOf(context: AuthenticatedContext, ms: number): Html {
  return html`<time datetime="${new Date(ms).toISOString()}">${sayTime(ms, context)}</time>`;
}
