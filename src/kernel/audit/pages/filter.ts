// The filters of the audit log: shows their form fields, reads them from the query, and turns them into a search.

import { readSearchText } from '../../../platform/pages/search-text.ts';
import { textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { endOfDayMs, startOfDayMs } from '../../../platform/time/calendar-date.ts';
import type { PageContext } from '../../pages/context.ts';
import type { AuditSearch } from '../audit-log.ts';
import type { Known } from './known.ts';

const MAX_LENGTH = 100;
const FIELDS = ['q', 'action', 'who', 'site', 'from', 'until'] as const;
/** The group of an action, by the first word of its name. All other actions belong to the group `settings`. */
const GROUP_OF: Record<string, string> = {
  voucher: 'voucher',
  site: 'site',
  slip: 'site',
  printer: 'site',
  screen: 'site',
  request: 'site',
  user: 'user',
  key: 'key',
  profile: 'profile',
  webhook: 'webhook',
  delivery: 'webhook',
};

export type AuditFilter = Partial<Record<(typeof FIELDS)[number], string>>;

export function readFilter({ query }: PageContext): AuditFilter {
  const read = (name: string) => readSearchText(query, name, MAX_LENGTH);
  return Object.fromEntries(FIELDS.map((name) => [name, read(name)]).filter(([, value]) => value));
}

/** The text `q` is searched in the stored entries, in the sentences that the page shows, and in voucher codes. */
export async function toSearch(
  { app, messages, timeZone }: PageContext,
  { q, action, who, site, from, until }: AuditFilter,
  known: Known,
): Promise<Omit<AuditSearch, 'limit'>> {
  const code = /^(\d{5})-?(\d{5})$/.exec(q ?? '');
  const { sentences } = messages.admin.audit;
  const words = Object.entries(sentences).filter(
    ([, sentence]) => q && wordsOf(sentence).includes(q.toLowerCase()),
  );
  const [, kind, id = ''] = /^(user|key)-(.+)$/.exec(who ?? '') ?? [];
  const user = kind === 'user' ? known.users.get(id) : undefined;
  const key = kind === 'key' ? known.keys.get(id) : undefined;
  const siteId = known.sites.get(site ?? '')?.id;
  const fromMs = from === undefined ? undefined : startOfDayMs(from, timeZone);
  const untilMs = until === undefined ? undefined : endOfDayMs(until, timeZone);
  return {
    ...(q && { text: q, textActions: [...new Set(words.map(([name]) => name.replace(/:.*/, '')))] }),
    ...(code && { textSubjects: await app.auditedVouchers.subjectsOf(`${code[1]}${code[2]}`) }),
    ...(action && { action }),
    ...(user && { by: { kind: 'user' as const, id, name: user.name, email: user.email } }),
    ...(key && { by: { kind: 'key' as const, id, name: key.name } }),
    ...(siteId !== undefined && { siteId }),
    ...(fromMs !== undefined && { fromMs }),
    ...(untilMs !== undefined && { untilMs }),
  };
}

/** The words of a sentence without the names in braces. */
function wordsOf(sentence: string): string {
  return sentence.replace(/\{\w+\}/g, '').toLowerCase();
}

export function filterForm({ messages }: PageContext, filter: AuditFilter, known: Known): Html {
  const { audit: text } = messages.admin;
  const users = [...known.users.values()].map(({ id, name }) => [`user-${id}`, name] as const);
  const keys = [...known.keys.values()].map(({ id, name }) => [`key-${id}`, text.keyOf(name)] as const);
  const sites = [...known.sites.values()].map(({ id, name }) => [String(id), name] as const);
  return html`<form class="audit-filters" method="get" action="/audit" role="search">
${textField({ name: 'q', label: text.search, hint: text.searchHint, value: filter.q })}
${select('action', text.kind, html`<option value="">${text.anyKind}</option>${kindOptions(messages, filter.action)}`)}
${select('who', text.who, html`<option value="">${text.anyone}</option>${options([...users, ...keys], filter.who)}`)}
${select('site', text.site, html`<option value="">${text.anySite}</option>${options(sites, filter.site)}`)}
${textField({ name: 'from', label: text.from, type: 'date', value: filter.from })}
${textField({ name: 'until', label: text.until, type: 'date', value: filter.until })}
<div class="actions"><button class="button primary" type="submit">${icon('search')}${text.find}</button>
${Object.keys(filter).length > 0 && html`<a class="button" href="/audit">${text.clear}</a>`}</div></form>`;
}

function select(name: string, label: string, choices: Html): Html {
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${choices}</select></div>`;
}

function options(choices: (readonly [value: string, label: string])[], chosen: string | undefined): Html {
  return html`${choices.map(([value, label]) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`)}`;
}

/** An unknown action in the query is added to the options under its internal name. */
function kindOptions({ admin: { audit: text } }: PageContext['messages'], chosen: string | undefined): Html {
  const kinds = Object.entries<string>(text.kinds);
  if (chosen !== undefined && !Object.hasOwn(text.kinds, chosen)) kinds.push([chosen, chosen]);
  const groupOf = ([action]: [string, string]) => GROUP_OF[action.replace(/\..*/, '')] ?? 'settings';
  const byGroup = Map.groupBy(kinds, groupOf);
  return html`${Object.entries(text.groups).map(
    ([group, label]) =>
      html`<optgroup label="${label}">${options(byGroup.get(group) ?? [], chosen)}</optgroup>`,
  )}`;
}
