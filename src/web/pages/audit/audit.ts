// The audit log: actor, action, time and IP address of every change, with filters, paging and CSV export.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { toActorText } from '../../../domain/audit/actor.ts';
import type {
  AuditPage,
  AuditSearch,
  FoundEntry,
  NoteAudit,
  SearchAudit,
} from '../../../domain/audit/audit-log.ts';
import { type AuthenticatedContext, auditContextOf } from '../../http/context.ts';
import { download } from '../../http/download.ts';
import type { Route } from '../../http/route.ts';
import { sayTime } from '../../i18n/durations.ts';
import { selectField, textField } from '../../ui/fields.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { renderPage } from '../../ui/layout.ts';
import { toAuditCsv } from './audit-csv.ts';

const PAGE_SIZE = 50;
const MAX_EXPORTED = 10_000;
const MAX_SEARCH_LENGTH = 100;

interface Deps {
  searchAudit: SearchAudit;
  noteAudit: NoteAudit;
}

export function makeAuditPages({ searchAudit, noteAudit }: Deps): Route[] {
  return [
    { method: 'GET', path: '/audit', access: 'admin', run: list },
    { method: 'GET', path: '/audit/export.csv', access: 'admin', run: exportEntries },
  ];

  async function list(context: AuthenticatedContext) {
    const { audit: text } = context.messages.admin;
    const filter = readFilter(context);
    const beforeId = readMark(context.query.get('before'));
    const found = await searchAudit({
      ...filter,
      ...(beforeId !== undefined && { beforeId }),
      limit: PAGE_SIZE,
    });
    return renderPage(context, {
      title: text.title,
      content: html`<h1>${text.title}</h1><p>${text.intro}</p>${filters(context, filter)}
<section class="card">${found.entries.length === 0 ? emptyNote(context, found, filter) : entryTable(context, found.entries)}</section>
${pager(context, found)}${exportNote(context, filter)}`,
    });
  }

  async function collect(filter: Filter): Promise<FoundEntry[]> {
    const entries: FoundEntry[] = [];
    let beforeId: number | null | undefined;
    while (beforeId !== null && entries.length < MAX_EXPORTED) {
      const limit = MAX_EXPORTED - entries.length;
      const found = await searchAudit({ ...filter, ...(beforeId !== undefined && { beforeId }), limit });
      entries.push(...found.entries);
      beforeId = found.nextBeforeId;
      // Let other requests run between two queries.
      await nextTurn();
    }
    return entries;
  }

  async function exportEntries(context: AuthenticatedContext) {
    const entries = await collect(readFilter(context));
    const subject = `entries: ${entries.length}`;
    await noteAudit({ ...auditContextOf(context), action: 'audit.exported', subject });
    const day = new Date(context.nowMs).toISOString().slice(0, 10);
    return download(context, {
      name: `gastpass-audit-${day}.csv`,
      type: 'text/csv; charset=utf-8',
      body: toAuditCsv(entries),
    });
  }
}

type Filter = Pick<AuditSearch, 'text' | 'actor' | 'action'>;

function readFilter({ query }: AuthenticatedContext): Filter {
  const read = (name: string) =>
    (query.get(name) ?? '')
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, MAX_SEARCH_LENGTH);
  const [text, actor, action] = [read('q'), read('actor'), read('action')];
  return { ...(text && { text }), ...(actor && { actor }), ...(action && { action }) };
}

function readMark(text: string | null): number | undefined {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined;
}

function filters({ messages }: AuthenticatedContext, { text: typed, actor, action }: Filter): Html {
  const { audit: text } = messages.admin;
  const choices = Object.entries(text.actions).map(([value, label]) => ({ value, label }));
  // Offer an unknown action from the query under its own name.
  if (action && !Object.hasOwn(text.actions, action)) choices.push({ value: action, label: action });
  return html`<form class="filters" method="get" action="/audit" role="search">
${textField({ name: 'q', label: text.search, value: typed })}${textField({ name: 'actor', label: text.who, value: actor })}
${selectField({ name: 'action', label: text.what, value: action ?? '', choices: [{ value: '', label: text.anyAction }, ...choices] })}
<div class="actions"><button class="button" type="submit">${icon('search')}${text.find}</button>
${(typed || actor || action) && html`<a class="button" href="/audit">${text.clear}</a>`}</div></form>`;
}

function entryTable(context: AuthenticatedContext, entries: FoundEntry[]): Html {
  const { messages, language, timeZone } = context;
  const { audit: text } = messages.admin;
  const labels = [text.when, text.who, text.what, text.subject, text.where];
  return html`<table class="log"><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${entries.map(
    ({ atMs, actor, action, subject, ip }) =>
      html`<tr><td class="short" data-label="${text.when}"><time datetime="${new Date(atMs).toISOString()}">${sayTime(atMs, { language, timeZone })}</time></td>
<td data-label="${text.who}">${toActorText(actor)}</td><td data-label="${text.what}">${text.actions[action] ?? action}</td><td data-label="${text.subject}">${subject}</td><td class="short" data-label="${text.where}">${ip ?? '–'}</td></tr>`,
  )}</tbody></table>`;
}

function emptyNote(
  { messages: { admin } }: AuthenticatedContext,
  { nextBeforeId }: AuditPage,
  filter: Filter,
): Html {
  const { audit: text } = admin;
  const isFiltered = Object.keys(filter).length > 0;
  const nothing = nextBeforeId === null ? text.nothing : text.nothingYet;
  return html`<div class="empty">${icon(isFiltered ? 'search' : 'book')}<p>${isFiltered ? nothing : text.empty}</p></div>`;
}

function pager(
  { messages: { admin }, query, path }: AuthenticatedContext,
  { entries, nextBeforeId }: AuditPage,
): Html {
  const { audit: text } = admin;
  const older = new URLSearchParams(query);
  if (nextBeforeId !== null) older.set('before', String(nextBeforeId));
  const newest = new URLSearchParams(query);
  newest.delete('before');
  const label = entries.length < PAGE_SIZE ? text.lookFurther : text.older;
  return html`<nav class="pager" aria-label="${text.title}">${query.has('before') ? html`<a class="button" href="${path}?${String(newest)}">${text.newest}</a>` : html`<span></span>`}
${nextBeforeId !== null && html`<a class="button" href="${path}?${String(older)}">${label}</a>`}</nav>`;
}

function exportNote(
  { messages: { admin }, language }: AuthenticatedContext,
  { text: typed, actor, action }: Filter,
): Html {
  const { audit: text } = admin;
  const inputs = new URLSearchParams({
    ...(typed && { q: typed }),
    ...(actor && { actor }),
    ...(action && { action }),
  });
  const most = new Intl.NumberFormat(language).format(MAX_EXPORTED);
  return html`<p><a class="button" href="/audit/export.csv${inputs.size > 0 && `?${inputs}`}">${text.download}</a></p><p class="soft">${text.most(most)}</p>`;
}
