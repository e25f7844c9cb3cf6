// The audit log: a sentence, the time and the IP address of every action, with filters, paging and CSV export.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { auditStylesheet } from '../../../platform/pages/assets.ts';
import { emptyState } from '../../../platform/pages/ui/empty-state.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { ipAddress } from '../../../platform/pages/ui/ip-address.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { download } from '../../pages/download.ts';
import { renderPage } from '../../pages/layout.ts';
import type { Route } from '../../pages/route.ts';
import type { AuditChunk, AuditSearch, FoundEntry } from '../audit-log.ts';
import { toAuditCsv } from './audit-csv.ts';
import { type AuditFilter, filterForm, readFilter, toSearch } from './filter.ts';
import { findKnown, type Known } from './known.ts';
import { sentenceOf, toHtml, toText } from './sentence.ts';

const PAGE_SIZE = 50;
const MAX_EXPORTED = 10_000;

export const auditRoutes: Route[] = [
  { method: 'GET', path: '/audit', permission: 'admin', run: list },
  { method: 'GET', path: '/audit/export.csv', permission: 'admin', run: exportEntries },
];

async function list(context: AuthenticatedContext) {
  const { audit: text } = context.messages.admin;
  const filter = readFilter(context);
  const search = await toSearch(context, filter, await findKnown(context, []));
  const beforeId = readMark(context.query.get('before'));
  const found = await context.app.searchAudit({
    ...search,
    ...(beforeId !== undefined && { beforeId }),
    limit: PAGE_SIZE,
  });
  const known = await findKnown(context, found.entries);
  return renderPage(context, {
    title: text.title,
    stylesheets: [auditStylesheet],
    content: html`<h1>${text.title}</h1><p>${text.intro}</p>${filterForm(context, filter, known)}
<section class="card">${found.entries.length === 0 ? emptyNote(context, found, filter) : entryTable(context, found.entries, known)}</section>
${pager(context, found, filter)}`,
  });
}

async function collect(
  { app }: AuthenticatedContext,
  search: Omit<AuditSearch, 'limit'>,
): Promise<FoundEntry[]> {
  const entries: FoundEntry[] = [];
  let beforeId: number | null | undefined;
  while (beforeId !== null && entries.length < MAX_EXPORTED) {
    const limit = MAX_EXPORTED - entries.length;
    const found = await app.searchAudit({ ...search, ...(beforeId !== undefined && { beforeId }), limit });
    entries.push(...found.entries);
    beforeId = found.nextBeforeId;
    // Let other requests run between two queries.
    await nextTurn();
  }
  return entries;
}

async function exportEntries(context: AuthenticatedContext) {
  const known = await findKnown(context, []);
  const entries = await collect(context, await toSearch(context, readFilter(context), known));
  const details = { count: entries.length };
  await context.app.noteAudit({ ...auditContextOf(context), action: 'audit.exported', details });
  const all = await findKnown(context, entries);
  const day = new Date(context.nowMs).toISOString().slice(0, 10);
  return download(context, {
    name: `gastpass-audit-${day}.csv`,
    type: 'text/csv; charset=utf-8',
    body: toAuditCsv(entries, (entry) => toText(sentenceOf(context, entry, all))),
  });
}

function readMark(text: string | null): number | undefined {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined;
}

function entryTable(context: AuthenticatedContext, entries: FoundEntry[], known: Known): Html {
  const { messages, language, timeZone } = context;
  const { audit: text } = messages.admin;
  const labels = [text.when, text.what, text.where];
  return html`<table class="log"><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${entries.map(
    (entry) => {
      const { atMs, ip } = entry;
      return html`<tr><td class="short" data-label="${text.when}"><time datetime="${new Date(atMs).toISOString()}">${sayTime(atMs, { language, timeZone })}</time></td>
<td class="words" data-label="${text.what}"><span>${toHtml(sentenceOf(context, entry, known))}</span></td><td class="where" data-label="${text.where}">${ip === undefined ? '–' : ipAddress(ip)}</td></tr>`;
    },
  )}</tbody></table>`;
}

function emptyNote(
  { messages: { admin } }: AuthenticatedContext,
  { nextBeforeId }: AuditChunk,
  filter: AuditFilter,
): Html {
  const { audit: text } = admin;
  const isFiltered = Object.keys(filter).length > 0;
  const nothing = nextBeforeId === null ? text.nothing : text.nothingYet;
  return isFiltered ? emptyState('search', nothing) : emptyState('book', text.empty);
}

function pager(
  { messages: { admin }, query, path, language }: AuthenticatedContext,
  { entries, nextBeforeId }: AuditChunk,
  filter: AuditFilter,
): Html {
  const { audit: text } = admin;
  const older = new URLSearchParams(query);
  if (nextBeforeId !== null) older.set('before', String(nextBeforeId));
  const newest = new URLSearchParams(query);
  newest.delete('before');
  const label = entries.length < PAGE_SIZE ? text.lookFurther : text.older;
  const inputs = new URLSearchParams(filter);
  return html`<nav class="pager" aria-label="${text.title}"><a class="button" href="/audit/export.csv${inputs.size > 0 && `?${inputs}`}">${text.download}</a>
${query.has('before') && html`<a class="button" href="${path}?${String(newest)}">${text.newest}</a>`}
${nextBeforeId !== null && html`<a class="button" href="${path}?${String(older)}">${label}</a>`}</nav>
<p class="sub">${text.most(MAX_EXPORTED.toLocaleString(language))}</p>`;
}
