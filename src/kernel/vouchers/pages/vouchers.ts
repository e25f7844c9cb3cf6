// The list of vouchers with search, filters and paging, and the page of a single voucher.

import { listStylesheet, liveSearchScript, voucherStylesheet } from '../../../platform/pages/assets.ts';
import { emptyState } from '../../../platform/pages/ui/empty-state.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { renderPage } from '../../pages/layout.ts';
import type { Route } from '../../pages/route.ts';
import { sayAllowance } from '../texts/allowance.ts';
import { formatCode } from '../voucher.ts';
import type { FoundVoucher } from '../voucher-search.ts';
import { hasEnded, stateOf } from '../voucher-state.ts';
import { runningBulkRevocations } from './bulk-revocation-report.ts';
import { canRevokeAll } from './confirm-bulk-revocation.ts';
import { MAX_EXPORTED } from './export.ts';
import { handOverButtons, printWayOf } from './hand-over.ts';
import { findLines, type Line, type Lines, shownIn } from './list-lines.ts';
import { toList, withFrom } from './list-link.ts';
import { lostNote, replacedNote } from './lost-note.ts';
import { qrChoice } from './qr-choice.ts';
import { readMark, readSearch, type SearchInput, writeMark } from './read-search.ts';
import { resultCount, searchForm } from './search-form.ts';
import {
  demoPill,
  endOf,
  lateNote,
  madeBy,
  shownName,
  stateNote,
  usesOf,
  voucherStatePill,
} from './voucher-details.ts';
import { fromSlots } from './voucher-slots.ts';
import { choiceOf } from './voucher-table.ts';
import { withVoucher } from './with-voucher.ts';

const PAGE_SIZE = 30;
/** Folding fewer vouchers of a batch would hide their codes and save hardly any line. */
const MIN_FOLDED = 4;

export const voucherRoutes: Route[] = [
  { method: 'GET', path: '/vouchers', permission: 'operator', run: list },
  { method: 'GET', path: '/vouchers/:id', permission: 'operator', run: withVoucher(show) },
];

async function list(context: AuthenticatedContext) {
  const { sitesFor, finder } = context.app;
  const { messages, query } = context;
  const sites = await sitesFor(context.user);
  const input = readSearch(context, sites);
  const { isFiltered, search } = input;
  const after = readMark(query.get('after'));
  const from = after ? { after } : { counts: true };
  const found = await findLines(
    finder,
    { ...search, ...from, limit: PAGE_SIZE },
    { minFolded: MIN_FOLDED, opened: query.get('open') },
  );
  const shown = shownIn(found.lines);
  const parts = await fromSlots(context, (slots) => slots.ofList?.(context, shown));
  return renderPage(context, {
    title: messages.list.title,
    stylesheets: [listStylesheet],
    scripts: [liveSearchScript],
    sendsRequests: true,
    content: html`<div class="heading"><h1>${messages.list.title}</h1>${resultCount(context, isFiltered || found.lines.length > 0 ? found.count : undefined)}<a class="button" href="/batches">${messages.batches.title}</a>${parts.map(({ link }) => link)}</div>
${await runningBulkRevocations(context)}${searchForm(context, sites, input)}
<div id="results"><section class="card">${
      found.lines.length === 0
        ? nothingFound(context, isFiltered, found)
        : choiceOf(context, found.lines, {
            input,
            showsSites: sites.length > 1 && !input.chosen,
            parts,
          })
    }</section>${pager(context, found, input)}</div>`,
  });
}

async function show(context: AuthenticatedContext, voucher: FoundVoucher) {
  const { messages, language, timeZone } = context;
  const { list: text } = messages;
  const isOver = hasEnded(stateOf(voucher, context.nowS));
  const { batchId, batchSize } = voucher;
  const batch = batchId !== null && batchSize > 1 ? await context.app.batches.find(batchId) : undefined;
  const slip = await context.app.slips.find(voucher.siteId);
  const site = await context.app.sites.find(voucher.siteId);
  const parts = await fromSlots(context, (slots) => slots.ofVoucher?.(context, voucher));
  const print = printWayOf(context, parts, withFrom(context, `/vouchers/print?voucher=${voucher.id}`));
  const facts: [string, Html | string][] = [
    [messages.form.site, voucher.siteName],
    [text.uses, usesOf(voucher)],
    [isOver ? text.ended : text.ends, endOf(voucher, context)],
    [text.created, sayTime(voucher.createdAtS * 1000, { language, timeZone })],
    [text.madeBy, madeBy(voucher, context)],
  ];
  const { consoleName } = voucher;
  if (consoleName !== null && consoleName !== voucher.name) facts.push([text.onConsole, consoleName]);
  if (batch)
    facts.push([messages.batches.partOf, html`<a href="/batches/${batch.id}">${batch.order.name}</a>`]);
  facts.push(
    ...(await labelsOf(context, voucher)),
    ...(await fromSlots(context, (slots) => slots.facts?.(context, voucher))).flat(),
  );
  return renderPage(context, {
    title: formatCode(voucher.code),
    stylesheets: [voucherStylesheet],
    sendsRequests: true,
    content: html`<section class="card hero"><h1>${shownName(voucher)}</h1>
<strong class="code${isOver && ' over'}">${formatCode(voucher.code)}</strong>
<p>${voucherStatePill(voucher, context)} ${voucher.isDemo && demoPill(context)}</p>${stateNote(voucher, context)}
${lostNote(context, [voucher], { path: `/vouchers/${voucher.id}`, isBatch: false })}${await replacedNote(context, [voucher])}
<p>${isOver ? text.over : sayAllowance(voucher, context)}</p>${parts.map(({ line }) => line)}${await lateNote(voucher, context)}
${!isOver && site && (await qrChoice(context, { voucher, slip, site }))}
<div class="actions">${!isOver && handOverButtons(context, voucher, { slip, print, parts })}
${voucher.endedAtS === null && html`<a class="button risky" href="${withFrom(context, `/vouchers/${voucher.id}/revoke`)}">${messages.revoke.revoke}</a>`}
${toList(context)}</div>
<dl class="facts">${facts.map(([label, value]) => html`<div${isLong(value) && html` class="wide"`}><dt>${label}</dt><dd>${value}</dd></div>`)}</dl></section>${parts.toReversed().map(({ card }) => card)}`,
  });
}

/** A long text, such as a note of 500 characters, gets a row of its own. */
function isLong(value: unknown): boolean {
  return typeof value === 'string' && value.length > 60;
}

/** What another program said about the voucher when it ordered it. A profile may have been deleted since. */
async function labelsOf(
  { app, messages }: AuthenticatedContext,
  { reference, note, profileId }: FoundVoucher,
): Promise<[string, string][]> {
  const { list: text, form } = messages;
  const profile =
    profileId === null ? undefined : (await app.profiles.list()).find(({ id }) => id === profileId);
  const labels: [string, string | null | undefined][] = [
    [form.profile, profile?.name],
    [text.reference, reference],
    [text.note, note],
  ];
  return labels.flatMap(([label, value]): [string, string][] => (value ? [[label, value]] : []));
}

function nothingFound(
  { messages }: AuthenticatedContext,
  isFiltered: boolean,
  { isUnfinished }: Lines,
): Html {
  const { list: text, result, nav } = messages;
  if (!isFiltered) return emptyState('list', text.empty, { href: '/', label: nav.newVoucher });
  const all = { href: '/vouchers', label: result.all };
  return emptyState('search', isUnfinished ? text.nothingYet : text.nothing, all);
}

function pager(
  { messages, query, path, language, nowS }: AuthenticatedContext,
  { lines, next, isUnfinished }: Lines,
  { sort, state, isFiltered }: SearchInput,
): Html {
  const first = new URLSearchParams(query);
  first.delete('after');
  first.delete('open');
  const following = new URLSearchParams(first);
  if (next) following.set('after', writeMark(next, sort));
  const openOf = ({ voucher, batch }: Line) => batch?.open ?? (hasEnded(stateOf(voucher, nowS)) ? 0 : 1);
  // Results on other pages may be revocable, too.
  const mayRevokeSeveral =
    next !== undefined || query.has('after') || lines.reduce((sum, line) => sum + openOf(line), 0) > 1;
  return html`<nav class="pager">${lines.length > 0 ? html`<a class="button" href="/export/vouchers.csv?${String(first)}">${messages.revoke.export}</a>` : html`<span></span>`}
${mayRevokeSeveral && lines.length > 0 && isFiltered && canRevokeAll(state) && html`<a class="button risky" href="/vouchers/revoke?${String(first)}&all=1">${messages.bulkRevocation.allResults}</a>`}
${query.has('after') && html`<a class="button" href="${path}?${String(first)}">${messages.list.start}</a>`}
${next && html`<a class="button" href="${path}?${String(following)}">${isUnfinished ? messages.list.further : messages.list.more}</a>`}</nav>
${lines.length > 0 && html`<p class="sub">${messages.revoke.most(MAX_EXPORTED.toLocaleString(language))}</p>`}`;
}
