// Asks whether to revoke the selected vouchers of the list, or all results of its filter, and begins to revoke them.
// Only vouchers that the user has confirmed are revoked, even if the filter matches further vouchers by then. A request
// without a filter is refused, because it would match all vouchers of all sites.

import { emptyState } from '../../../platform/pages/ui/empty-state.ts';
import { factList } from '../../../platform/pages/ui/fact-list.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { asVoucherId, type VoucherId } from '../../ids.ts';
import { confirm } from '../../pages/confirm.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { renderPage } from '../../pages/layout.ts';
import { note } from '../../pages/message.ts';
import { notFoundPage, problemPage } from '../../pages/problem-page.ts';
import type { Route } from '../../pages/route.ts';
import { MAX_REVOKED_AT_ONCE } from '../bulk-revocation.ts';
import { foundChunks } from '../found-chunks.ts';
import type { Revocable } from '../revoke-voucher.ts';
import { formatCode, statusOf, type Voucher } from '../voucher.ts';
import { countsAs, hasEnded, stateOf, type VoucherState } from '../voucher-state.ts';
import { beginBulkRevocation } from './begin-bulk-revocation.ts';
import { readConfirmed, writeConfirmed } from './confirmed-vouchers.ts';
import { listLeft } from './list-link.ts';
import { readSearch, type SearchInput } from './read-search.ts';
import { shownName } from './voucher-details.ts';

const OPEN_STATES = ['unused', 'in-use'] as const satisfies VoucherState[];
/** The maximum number of vouchers that the confirmation page lists. */
const MAX_NAMED = 5;

interface Wanted {
  vouchers: (Voucher & Pick<Revocable, 'id' | 'siteId'> & { revokedAtS: number | null })[];
  isCut: boolean;
  onlyUnused: boolean;
  /** The filter that found these vouchers. Undefined if the user selected them individually. */
  filter?: SearchInput;
}

export const bulkRevocationRoutes: Route[] = [
  { method: 'GET', path: '/vouchers/revoke', permission: 'operator', run: withWanted(ask) },
  {
    method: 'POST',
    path: '/vouchers/revoke',
    formAt: '/vouchers',
    permission: 'operator',
    run: withWanted(revoke),
  },
];

type WantedPage = (context: AuthenticatedContext, wanted: Wanted) => Response | Promise<Response>;

function withWanted(run: WantedPage): (context: AuthenticatedContext) => Promise<Response> {
  return async (context) => {
    const { messages, query } = context;
    if (!asksForAll(context) && !query.has('voucher'))
      return problemPage(context, 422, messages.bulkRevocation.noneSelected);
    const filter = asksForAll(context)
      ? readSearch(context, await context.app.sitesFor(context.user))
      : undefined;
    if (filter && !filter.isFiltered) return problemPage(context, 422, messages.bulkRevocation.noFilter);
    const wanted = filter ? await findAll(context, filter) : await findSelected(context);
    if (!wanted) return notFoundPage(context);
    return wanted.vouchers.length === 0 ? nothing(context) : run(context, wanted);
  };
}

/** Undefined if an id is malformed or belongs to a voucher that the user may not see. */
async function findSelected(context: AuthenticatedContext): Promise<Wanted | undefined> {
  const texts = [...new Set(context.query.getAll('voucher'))].slice(0, MAX_REVOKED_AT_ONCE);
  if (!texts.every((text) => /^\d{1,15}$/.test(text))) return undefined;
  const ids = texts.map((text) => asVoucherId(Number(text)));
  const found = await findByIds(context, ids);
  if (found.length < ids.length) return undefined;
  return { vouchers: withoutEnded(context, found), isCut: false, onlyUnused: false };
}

async function findByIds({ app, user }: AuthenticatedContext, ids: VoucherId[]) {
  return app.slips.findVouchers({ ids, siteIds: (await app.sitesFor(user)).map(({ id }) => id) });
}

/** Finds the vouchers that match the filter. After the confirmation, finds only the confirmed vouchers. */
async function findAll(context: AuthenticatedContext, filter: SearchInput): Promise<Wanted> {
  const { state, search } = filter;
  const onlyUnused = state === 'unused';
  const confirmed = readConfirmed(context.form);
  if (confirmed) {
    const found = await findByIds(context, confirmed.slice(0, MAX_REVOKED_AT_ONCE));
    return { vouchers: withoutEnded(context, found), isCut: false, onlyUnused, filter };
  }
  const vouchers = new Map<number, Wanted['vouchers'][number]>();
  if (canRevokeAll(state))
    for await (const chunk of foundChunks(context.app.finder, {
      ...search,
      state: search.state ?? 'open',
      sort: 'newest',
    })) {
      for (const voucher of chunk) vouchers.set(voucher.id, voucher);
      if (vouchers.size > MAX_REVOKED_AT_ONCE) break;
    }
  return {
    vouchers: [...vouchers.values()].slice(0, MAX_REVOKED_AT_ONCE),
    isCut: vouchers.size > MAX_REVOKED_AT_ONCE,
    onlyUnused,
    filter,
  };
}

function revoke(context: AuthenticatedContext, wanted: Wanted): Response | Promise<Response> {
  if (asksForAll(context) && !readConfirmed(context.form)) return ask(context, wanted);
  const { vouchers, onlyUnused } = wanted;
  return beginBulkRevocation(context, { vouchers, onlyUnused, batchId: null });
}

const asksForAll = ({ query }: AuthenticatedContext) => query.get('all') === '1';

const withoutEnded = ({ nowS }: AuthenticatedContext, vouchers: Wanted['vouchers']) =>
  vouchers.filter((voucher) => statusOf(voucher, nowS) !== 'expired');

function ask(context: AuthenticatedContext, { vouchers, isCut, filter }: Wanted): Response {
  const { messages, language, query } = context;
  const { bulkRevocation: text } = messages;
  const count = vouchers.length;
  return confirm(context, {
    ask: text.ask(count),
    what: text.what(count),
    details: html`${isCut && note('warning', text.tooMany(MAX_REVOKED_AT_ONCE.toLocaleString(language)))}
${filter && filterFacts(context, filter)}${stateCounts(context, vouchers)}${devicesNote(context, vouchers)}${named(context, vouchers)}`,
    action: `/vouchers/revoke?${query}`,
    ...(asksForAll(context) && { fields: writeConfirmed(vouchers) }),
    button: text.button(count),
    back: listLeft(context) ?? '/vouchers',
  });
}

function filterFacts({ messages }: AuthenticatedContext, { text, chosen, state, period }: SearchInput): Html {
  const { list, form, state: states, bulkRevocation: revocation } = messages;
  const facts: [string, string][] = [[form.site, chosen?.name ?? list.allSites]];
  if (text !== '') facts.unshift([list.search, revocation.contains(text)]);
  if (state) facts.push([list.state, states[state]]);
  if (period) facts.push([list.created, list.periods[period]]);
  return factList(facts);
}

/** Shows how many vouchers are in each state, because guests may be using some of them. */
function stateCounts({ messages, language, nowS }: AuthenticatedContext, vouchers: Wanted['vouchers']): Html {
  const states = vouchers.map((voucher) => stateOf(voucher, nowS));
  return html`<p>${OPEN_STATES.map((state) => {
    const count = states.filter((one) => countsAs(state, one)).length;
    return (
      count > 0 &&
      html`<span class="pill ${state}">${count.toLocaleString(language)} ${messages.state[state]}</span> `
    );
  })}</p>`;
}

/** Says what happens to the devices of vouchers in use. */
function devicesNote(
  { messages: { revoke: text }, nowS }: AuthenticatedContext,
  vouchers: Wanted['vouchers'],
): Html {
  const inUse = vouchers.filter((voucher) => countsAs('in-use', stateOf(voucher, nowS)));
  const count = inUse.reduce((sum, { usedCount }) => sum + Math.max(1, usedCount), 0);
  const letIn = vouchers.length === 1 ? text.letIn(count) : text.letInTogether(count);
  return html`${count > 0 && html`<p>${letIn} ${text.stayOnline}</p>`}`;
}

function named({ messages }: AuthenticatedContext, vouchers: Wanted['vouchers']): Html {
  const further = vouchers.length - MAX_NAMED;
  return html`<ul>${vouchers
    .slice(0, MAX_NAMED)
    .map(
      (voucher) =>
        html`<li><span class="code listed">${formatCode(voucher.code)}</span> · ${shownName(voucher)}</li>`,
    )}${further > 0 && html`<li>${messages.bulkRevocation.further(further)}</li>`}</ul>`;
}

function nothing(context: AuthenticatedContext): Response {
  const { bulkRevocation: text, print } = context.messages;
  return renderPage(context, {
    title: text.nothing,
    content: html`<section class="card">${emptyState('list', text.nothing, { href: listLeft(context) ?? '/vouchers', label: print.back })}</section>`,
  });
}

/** True if vouchers in this state can be revoked. Also true if no state is given. */
export function canRevokeAll(state: VoucherState | undefined): boolean {
  return state === undefined || !hasEnded(state);
}
