// The audit log: who did what when and from where, filtered, page by page, and as a file for spreadsheets.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditPage, AuditSearch, FoundEntry, SearchAudit } from '../../domain/audit-log.ts';
import { download } from '../download.ts';
import { sayTime } from '../durations.ts';
import { selectField, textField } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage } from '../layout.ts';
import type { Route } from '../routes.ts';
import type { UserVisit } from '../visit.ts';
import { toAuditCsv } from './audit-csv.ts';

const PAGE_SIZE = 50;
const MOST_EXPORTED = 10_000;
const LONGEST_SEARCH = 100;

export function makeAuditPages({ searchAudit }: { searchAudit: SearchAudit }): Route[] {
  return [
    { method: 'GET', path: '/audit', access: 'admin', run: list },
    { method: 'GET', path: '/audit/export.csv', access: 'admin', run: exportEntries },
  ];

  async function list(visit: UserVisit) {
    const { audit: text } = visit.words.admin;
    const filter = readFilter(visit);
    const beforeId = readMark(visit.query.get('before'));
    const found = await searchAudit({
      ...filter,
      ...(beforeId !== undefined && { beforeId }),
      atMost: PAGE_SIZE,
    });
    return answerPage(visit, {
      title: text.title,
      content: html`<h1>${text.title}</h1><p>${text.intro}</p>${filters(visit, filter)}
<section class="card">${found.entries.length === 0 ? emptyNote(visit, found, filter) : entryTable(visit, found.entries)}</section>
${pager(visit, found)}${exportNote(visit, filter)}`,
    });
  }

  async function collect(filter: Filter): Promise<FoundEntry[]> {
    const entries: FoundEntry[] = [];
    let beforeId: number | null | undefined;
    while (beforeId !== null && entries.length < MOST_EXPORTED) {
      const atMost = MOST_EXPORTED - entries.length;
      const found = await searchAudit({ ...filter, ...(beforeId !== undefined && { beforeId }), atMost });
      entries.push(...found.entries);
      beforeId = found.goOnBefore;
      // Others come in between.
      await nextTurn();
    }
    return entries;
  }

  async function exportEntries(visit: UserVisit) {
    const entries = await collect(readFilter(visit));
    const day = new Date(visit.nowMs).toISOString().slice(0, 10);
    return download(`gastpass-audit-${day}.csv`, 'text/csv; charset=utf-8', toAuditCsv(entries));
  }
}

type Filter = Pick<AuditSearch, 'text' | 'actor' | 'action'>;

function readFilter({ query }: UserVisit): Filter {
  const read = (name: string) =>
    (query.get(name) ?? '')
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, LONGEST_SEARCH);
  const [text, actor, action] = [read('q'), read('actor'), read('action')];
  return { ...(text && { text }), ...(actor && { actor }), ...(action && { action }) };
}

function readMark(text: string | null): number | undefined {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined;
}

function filters({ words }: UserVisit, { text: typed, actor, action }: Filter): Html {
  const { audit: text } = words.admin;
  const choices = Object.entries(text.actions).map(([value, label]) => ({ value, label }));
  // One that is asked for but not known is offered as it is.
  if (action && !Object.hasOwn(text.actions, action)) choices.push({ value: action, label: action });
  return html`<form class="filters" method="get" action="/audit" role="search">
${textField({ name: 'q', label: text.search, value: typed })}${textField({ name: 'actor', label: text.who, value: actor })}
${selectField({ name: 'action', label: text.what, value: action ?? '', choices: [{ value: '', label: text.anyAction }, ...choices] })}
<div class="actions"><button class="button" type="submit">${icon('search')}${text.find}</button>
${(typed || actor || action) && html`<a class="button" href="/audit">${text.clear}</a>`}</div></form>`;
}

function entryTable(visit: UserVisit, entries: FoundEntry[]): Html {
  const { words, language, timeZone } = visit;
  const { audit: text } = words.admin;
  const labels = [text.when, text.who, text.what, text.subject, text.where];
  return html`<table><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${entries.map(
    ({ atMs, actor, action, subject, address }) =>
      html`<tr><td class="short" data-label="${text.when}"><time datetime="${new Date(atMs).toISOString()}">${sayTime(atMs, { language, timeZone })}</time></td>
<td data-label="${text.who}">${actor}</td><td data-label="${text.what}">${text.actions[action] ?? action}</td><td data-label="${text.subject}">${subject}</td><td data-label="${text.where}">${address ?? '–'}</td></tr>`,
  )}</tbody></table>`;
}

function emptyNote({ words: { admin } }: UserVisit, { goOnBefore }: AuditPage, filter: Filter): Html {
  const { audit: text } = admin;
  const isFiltered = Object.keys(filter).length > 0;
  const nothing = goOnBefore === null ? text.nothing : text.nothingYet;
  return html`<div class="empty">${icon(isFiltered ? 'search' : 'book')}<p>${isFiltered ? nothing : text.empty}</p></div>`;
}

function pager({ words: { admin }, query, path }: UserVisit, { entries, goOnBefore }: AuditPage): Html {
  const { audit: text } = admin;
  const older = new URLSearchParams(query);
  if (goOnBefore !== null) older.set('before', String(goOnBefore));
  const newest = new URLSearchParams(query);
  newest.delete('before');
  const label = entries.length < PAGE_SIZE ? text.lookFurther : text.older;
  return html`<nav class="pager" aria-label="${text.title}">${query.has('before') ? html`<a class="button" href="${path}?${String(newest)}">${text.newest}</a>` : html`<span></span>`}
${goOnBefore !== null && html`<a class="button" href="${path}?${String(older)}">${label}</a>`}</nav>`;
}

function exportNote({ words: { admin }, language }: UserVisit, { text: typed, actor, action }: Filter): Html {
  const { audit: text } = admin;
  const wishes = new URLSearchParams({
    ...(typed && { q: typed }),
    ...(actor && { actor }),
    ...(action && { action }),
  });
  const most = new Intl.NumberFormat(language).format(MOST_EXPORTED);
  return html`<p><a class="button" href="/audit/export.csv${wishes.size > 0 && `?${wishes}`}">${text.download}</a></p><p class="soft">${text.most(most)}</p>`;
}
