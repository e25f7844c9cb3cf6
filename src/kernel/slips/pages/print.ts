// Prints vouchers (a single voucher, a batch or a selection) as a web page or a PDF. A voucher of a site that the user
// has no access to results in 404.

import { paperStylesheet } from '../../../platform/pages/assets.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { type DetailsOf, siteDetails, toAuditText } from '../../audit/audit-details.ts';
import type { Batch } from '../../batches/batch.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { choosePaper } from '../../pages/cookies.ts';
import { datedName, download } from '../../pages/download.ts';
import { renderPage } from '../../pages/layout.ts';
import { message } from '../../pages/message.ts';
import { notFoundPage, problemPage } from '../../pages/problem-page.ts';
import type { Route } from '../../pages/route.ts';
import { isDemo, type Site } from '../../sites/site.ts';
import { findBatch, readVoucherIds } from '../../vouchers/pages/chosen-vouchers.ts';
import { listLeft } from '../../vouchers/pages/list-link.ts';
import { shownName } from '../../vouchers/pages/voucher-details.ts';
import { fromSlots, type PrintPart } from '../../vouchers/pages/voucher-slots.ts';
import { statusOf } from '../../vouchers/voucher.ts';
import { stateOf, VOUCHER_STATES } from '../../vouchers/voucher-state.ts';
import { PAPERS, type Paper } from '../paper.ts';
import { PAPER_SHAPES } from '../papers.ts';
import { type Prepared, prepareSlips } from '../prepare-slips.ts';
import { MAX_SLIPS, namesNoWifi, type SlipVoucher } from '../slip.ts';
import { drawPages } from './printed-page.ts';

/** The maximum number of voucher ids that an audit entry lists. */
const MAX_AUDITED_IDS = 20;
/** If the user chooses another paper for the same vouchers within this time, no second audit entry is written. */
const SAME_OPENING_MS = 60 * 60_000;

export const printRoutes: Route[] = [
  { method: 'GET', path: '/vouchers/print', permission: 'operator', run: withVouchers(show) },
  { method: 'GET', path: '/vouchers/pdf', permission: 'operator', run: withVouchers(save) },
];

function withVouchers(run: typeof show): (context: AuthenticatedContext) => Promise<Response> {
  return async (context) => {
    const { sitesFor, slips } = context.app;
    const { messages, nowS } = context;
    const batch = await findBatch(context, context.query);
    const ids = readVoucherIds(context.query, batch);
    if (ids?.length === 0) return problemPage(context, 422, messages.slip.nothing);
    if (ids && ids.length > MAX_SLIPS) return problemPage(context, 422, messages.slip.tooMany(MAX_SLIPS));
    const sites = await sitesFor(context.user);
    const siteIds = sites.map(({ id }) => id);
    const found = ids ? await slips.findVouchers({ ids, siteIds }) : [];
    if (!ids || found.length < ids.length) return notFoundPage(context);
    const byId = new Map(found.map((voucher) => [voucher.id, voucher]));
    const all = ids.flatMap((id) => byId.get(id) ?? []);
    const worth = all.filter((voucher) => statusOf(voucher, nowS) !== 'expired');
    return run(context, { all, worth, batch, sites });
  };
}

async function show(context: AuthenticatedContext, chosen: Chosen): Promise<Response> {
  const parts = await fromSlots(context, (slots) => slots.printPage?.(context, chosen.worth));
  const elsewhere = parts.find(({ content }) => content)?.content;
  return elsewhere ? showOther(context, chosen, parts, elsewhere) : showPaper(context, chosen, parts);
}

async function showPaper(
  context: AuthenticatedContext,
  chosen: Chosen,
  parts: PrintPart[],
): Promise<Response> {
  const { messages } = context;
  const { all, worth } = chosen;
  const paper = choosePaper(context);
  const usedLabels = readUsedLabels(context, paper);
  const { layout, content } = await drawPages(await prepare(context, worth), { paper, usedLabels });
  const isRoll = PAPER_SHAPES[paper].kind === 'roll';
  const amount = messages.slip.document(worth.length);
  if (worth.length > 0 && !(await isOtherPaper(context, chosen)))
    await note(context, 'voucher.printed', chosen);
  return renderPage(context, {
    title: messages.print.title,
    stylesheets: [paperStylesheet],
    message: html`${(await findUnnamed(context, chosen)).map((site) => unnamedWarning(context, site))}${worth.length < all.length && message('info', sayLeftOut(context, chosen))}${parts.map((part) => part.note)}${layout.leftOut.length > 0 && message('warning', messages.slip.noRoom(layout.leftOut))}`,
    content: html`<div class="screen-only"><h1>${messages.print.title}</h1>
${worth.length > 0 && html`<p class="soft">${isRoll ? amount : messages.slip.onPages(amount, layout.pages.length)}</p>`}
${placeChips(context, parts, paper)}
${worth.length > 0 && firstLabelForm(context, paper, usedLabels)}
<div class="actions">
${
  worth.length > 0 &&
  html`<button class="button primary" type="button" hidden data-print>${icon('print')}${messages.print.now}</button>
<a class="button" href="${urlOf(context, '/vouchers/pdf', paper, usedLabels)}" download>${messages.slip.pdf}</a>`
}
${toBack(context, all)}</div>
<p class="soft actual-size">${messages.slip.actualSize}</p></div>
${content}`,
  });
}

function prepare(context: AuthenticatedContext, vouchers: SlipVoucher[]): Promise<Prepared> {
  const { slips, images } = context.app;
  return prepareSlips(vouchers, { ...context, findSlip: slips.find, findImage: images.find });
}

/** Prints at a place that a feature adds. */
async function showOther(
  context: AuthenticatedContext,
  chosen: Chosen,
  parts: PrintPart[],
  content: NonNullable<PrintPart['content']>,
): Promise<Response> {
  const { messages, query } = context;
  const { all, worth } = chosen;
  const fields = [...query].filter(([name]) => ['batch', 'voucher'].includes(name));
  return renderPage(context, {
    title: messages.print.title,
    stylesheets: [paperStylesheet],
    message: html`${(await findUnnamed(context, chosen)).map((site) => unnamedWarning(context, site))}${worth.length < all.length && message('info', sayLeftOut(context, chosen))}`,
    content: html`<h1>${messages.print.title}</h1>${await content({ chips: placeChips(context, parts), fields, next: backOf(context, all), back: toBack(context, all) })}`,
  });
}

/** `paper` is the chosen paper; absent if another place is chosen. */
function placeChips(context: AuthenticatedContext, parts: PrintPart[], paper?: Paper): Html {
  return html`${parts.map(({ chips }) => chips)}<nav class="chips papers" aria-label="${context.messages.slip.paper}">${PAPERS.map((one) => chip(context, one, one === paper))}</nav>`;
}

/** Finds sites whose printed slips do not name a Wi-Fi. Demo sites are left out, because they have no Wi-Fi. */
async function findUnnamed({ app }: AuthenticatedContext, { worth, sites }: Chosen): Promise<Site[]> {
  const printed = new Set(worth.map(({ siteId }) => siteId));
  const unnamed: Site[] = [];
  for (const site of sites)
    if (printed.has(site.id) && !isDemo(site) && namesNoWifi(await app.slips.find(site.id)))
      unnamed.push(site);
  return unnamed;
}

/** Writes an audit entry. A print page counts as printed when it is opened, because browsers do not report printing. */
function note(
  context: AuthenticatedContext,
  action: 'voucher.printed' | 'voucher.saved',
  chosen: Chosen,
): Promise<void> {
  return context.app.noteAudit({ ...auditContextOf(context), action, details: detailsOf(chosen) });
}

/** True if the user printed the same vouchers recently and has only chosen another paper. */
async function isOtherPaper(context: AuthenticatedContext, chosen: Chosen): Promise<boolean> {
  const { app, query, user, nowMs } = context;
  // An audit entry about many vouchers does not list all of them, so it does not show whether these are the same.
  if (!query.has('paper') || (!chosen.batch && chosen.worth.length > MAX_AUDITED_IDS)) return false;
  const { entries } = await app.searchAudit({
    action: 'voucher.printed',
    by: { kind: 'user', id: String(user.id), name: user.name },
    fromMs: nowMs - SAME_OPENING_MS,
    untilMs: nowMs + 1,
    limit: 20,
    lookBack: 1_000,
  });
  const subject = toAuditText('voucher.printed', detailsOf(chosen));
  return entries.some((entry) => entry.subject === subject);
}

async function save(context: AuthenticatedContext, chosen: Chosen): Promise<Response> {
  const { app, messages, settings, language, user } = context;
  const { worth } = chosen;
  if (worth.length === 0) return problemPage(context, 422, sayLeftOut(context, chosen));
  const paper = choosePaper(context);
  const order = {
    ...(await prepare(context, worth)),
    paper,
    usedLabels: readUsedLabels(context, paper),
    title: `${settings.title} · ${messages.slip.document(worth.length)}`,
    language,
  };
  const body = await app.printPdf(order, user.id);
  if (body === 'busy') return problemPage(context, 503, messages.slip.busy, { 'retry-after': '10' });
  await note(context, 'voucher.saved', chosen);
  return download(context, { name: `${fileNameOf(context, chosen)}.pdf`, type: 'application/pdf', body });
}

/** Says how many vouchers are left out, by their state. */
function sayLeftOut({ messages, nowS, language }: AuthenticatedContext, { all, worth }: Chosen): string {
  const states = all.filter((voucher) => !worth.includes(voucher)).map((voucher) => stateOf(voucher, nowS));
  const counts = VOUCHER_STATES.flatMap((state) => {
    const count = states.filter((one) => one === state).length;
    return count > 0 ? `${count.toLocaleString(language)} ${messages.state[state]}` : [];
  });
  return messages.slip.leftOut(counts.join(', '));
}

function unnamedWarning({ messages, user }: AuthenticatedContext, { id, name }: Site): Html {
  const { slip: text } = messages;
  const isAdmin = user.role === 'admin';
  return message(
    'warning',
    html`${text.unnamed(name)} ${isAdmin ? html`<a href="/sites/${id}/slip">${text.enterName}</a>` : text.askForName}`,
  );
}

interface Chosen {
  all: SlipVoucher[];
  /** The vouchers to print, without ended ones. */
  worth: SlipVoucher[];
  batch: Batch | undefined;
  /** The sites of the user. */
  sites: Site[];
}

function detailsOf({ worth, batch }: Chosen): DetailsOf['voucher.printed'] {
  const count = worth.length;
  if (batch && count > 1)
    return {
      batch: { id: batch.id, name: batch.order.name },
      ...siteDetails(batch.order.siteId, batch.siteName),
      count,
    };
  const [first = '', ...further] = worth.slice(0, MAX_AUDITED_IDS).map(({ id }) => String(id));
  return further.length === 0 ? { voucher: first } : { vouchers: [first, ...further], count };
}

/** Joins the site's name (if sites differ, the title) and the voucher's name (if names differ, the voucher count). */
function fileNameOf(context: AuthenticatedContext, { worth }: Chosen): string {
  const { settings, messages } = context;
  const [site, ...otherSites] = new Set(worth.map(({ siteName }) => siteName));
  const [name, ...otherNames] = new Set(worth.map(shownName));
  return datedName(context, [
    site && otherSites.length === 0 ? site : settings.title,
    name && otherNames.length === 0 ? name : messages.slip.document(worth.length),
  ]);
}

function chip(context: AuthenticatedContext, paper: Paper, isChosen: boolean) {
  return html`<a class="chip" href="${urlOf(context, context.path, paper)}"${isChosen && html` aria-current="true"`}>${context.messages.slip.papers[paper]}</a>`;
}

/** The URL for the same vouchers on the given paper. */
function urlOf({ query }: AuthenticatedContext, path: string, paper: Paper, usedLabels = 0): string {
  const inputs = new URLSearchParams(query);
  inputs.set('paper', paper);
  for (const name of ['first', 'printer']) inputs.delete(name);
  if (usedLabels > 0) inputs.set('first', String(usedLabels + 1));
  return `${path}?${inputs}`;
}

/** How many labels are on a sheet; 0 for papers without labels. */
function labelsOn(paper: Paper): number {
  const shape = PAPER_SHAPES[paper];
  return shape.kind === 'sheet' && !shape.isCut ? shape.columns * (shape.rows[0] ?? 0) : 0;
}

/** The labels before the first free one, which the query counts from 1. Other values count as an unused sheet. */
function readUsedLabels({ query }: AuthenticatedContext, paper: Paper): number {
  const first = Number(query.get('first') ?? 1);
  return Number.isInteger(first) && first >= 1 && first <= labelsOn(paper) ? first - 1 : 0;
}

/** For paper with labels: the number of the first free label. It holds for this print only. */
function firstLabelForm(
  { messages, query, path }: AuthenticatedContext,
  paper: Paper,
  usedLabels: number,
): Html | false {
  const { slip: text } = messages;
  const labels = labelsOn(paper);
  const kept = [...query].filter(([name]) => !['first', 'paper', 'printer'].includes(name));
  return (
    labels > 0 &&
    html`<form class="first-label" method="get" action="${path}">${[...kept, ['paper', paper] as const].map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    )}
<label for="first">${text.firstLabel}</label>
<input id="first" name="first" type="number" inputmode="numeric" min="1" max="${labels}" value="${usedLabels + 1}" aria-describedby="first-hint">
<button class="button" type="submit">${text.apply}</button>
<span class="hint" id="first-hint">${text.firstLabelHint(labels)}</span></form>`
  );
}

function toBack(context: AuthenticatedContext, vouchers: SlipVoucher[]): Html {
  const { list, print } = context.messages;
  const left = listLeft(context);
  return html`<a class="button" href="${backOf(context, vouchers)}">${left ? list.backToList : print.back}</a>`;
}

function backOf(context: AuthenticatedContext, vouchers: SlipVoucher[]): string {
  const left = listLeft(context);
  if (left) return left;
  const batch = context.query.get('batch');
  if (batch !== null) return `/batches/${encodeURIComponent(batch)}`;
  const [first] = vouchers;
  return vouchers.length === 1 && first ? `/vouchers/${first.id}` : '/vouchers';
}
