// The list of batches: vouchers that were created together, and how many of them guests have used.

import { voucherStylesheet } from '../../../platform/pages/assets.ts';
import { emptyState } from '../../../platform/pages/ui/empty-state.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { type Actor, toActorText } from '../../audit/actor.ts';
import { asBatchId } from '../../ids.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { renderPage } from '../../pages/layout.ts';
import type { Route } from '../../pages/route.ts';
import type { BatchSearch, BatchSummary } from '../batch.ts';

const PAGE_SIZE = 30;

export const batchListRoutes: Route[] = [
  { method: 'GET', path: '/batches', permission: 'operator', run: list },
];

async function list(context: AuthenticatedContext) {
  const { sitesFor, batches } = context.app;
  const { messages, query, user } = context;
  const { batches: text, list: words, nav } = messages;
  const after = readMark(query.get('after'));
  const siteIds = (await sitesFor(user)).map(({ id }) => id);
  const found = await batches.list({ siteIds, ...(after && { after }), limit: PAGE_SIZE + 1 });
  const last = found.length > PAGE_SIZE ? found[PAGE_SIZE - 1] : undefined;
  return renderPage(context, {
    title: text.title,
    stylesheets: [voucherStylesheet],
    under: '/vouchers',
    content: html`<h1>${text.title}</h1><section class="card">${
      found.length === 0
        ? emptyState('list', text.empty, { href: '/', label: nav.newVoucher })
        : table(context, found.slice(0, PAGE_SIZE))
    }</section>
<nav class="pager">${after ? html`<a class="button" href="/batches">${words.start}</a>` : html`<a class="button" href="/vouchers">${messages.result.all}</a>`}
${last && html`<a class="button" href="/batches?after=${last.createdAtMs}.${last.id}">${words.more}</a>`}</nav>`,
  });
}

function table(context: AuthenticatedContext, batches: BatchSummary[]): Html {
  const { messages, language, timeZone } = context;
  const { batches: text } = messages;
  return html`<table class="batches"><thead><tr><th scope="col">${text.name}</th><th scope="col">${text.use}</th><th scope="col">${text.created}</th></tr></thead>
<tbody>${batches.map(
    ({ id, name, siteName, createdBy, createdAtMs, vouchers, used }) => html`<tr>
<td><a class="listed" href="/batches/${id}">${name}</a><span class="sub">${siteName}</span></td>
<td>${usage(context, { used, vouchers })}</td>
<td>${sayTime(createdAtMs, { language, timeZone })}<span class="sub">${sayCreator(context, createdBy)}</span></td></tr>`,
  )}</tbody></table>`;
}

/** The name of a user, or the name of an API key with a word before it. */
export function sayCreator({ messages }: AuthenticatedContext, creator: Actor): string {
  return creator.kind === 'key' ? toActorText(creator) : creator.name || messages.list.removedUser;
}

/** Shows how many vouchers are used, as a text such as "23 of 60 used" and as a bar. */
export function usage(
  { messages: { batches: text } }: AuthenticatedContext,
  { used, vouchers }: { used: number; vouchers: number },
): Html {
  if (vouchers === 0) return html`<span class="soft">${text.none}</span>`;
  const said = text.used(used, vouchers);
  return html`<span class="usage">${said}</span><progress max="${vouchers}" value="${used}" aria-label="${said}"></progress>`;
}

/** Reads where the page starts: the creation time and the id of the last batch on the previous page. */
function readMark(text: string | null): BatchSearch['after'] {
  const [, createdAtMs, id] = /^(\d{1,15})\.(.+)$/.exec(text ?? '') ?? [];
  return createdAtMs && id ? { createdAtMs: Number(createdAtMs), id: asBatchId(id) } : undefined;
}
